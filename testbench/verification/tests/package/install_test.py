#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""The installed package: it is whole, knows nothing of where it was built, and programs outside the
tree are built with it in each of the ways that testbench/examples/README.md names.

usage: install_test.py ROOT BUILD CMAKE CXX
"""

import re
import shutil
import sys

from installed import BUILD, CMAKE, CXX, LAUNCHER, ROOT, InstalledTest, call, suite

COMPONENTS = ("interconnect", "fabric", "traffic", "waveforms")
HEADERS = (*COMPONENTS, "cci")  # one needs a library of others (cci_test.py)


class Package(InstalledTest):
    def configure(self, name, text, *options, source="int main() { return 0; }"):
        """Configures a project with this CMakeLists.txt behind the usual start."""
        project = self.folder / name
        project.mkdir()
        (project / "CMakeLists.txt").write_text(
            f"cmake_minimum_required(VERSION 3.25)\nproject({name} C CXX)\n{text}\n")
        (project / "main.cpp").write_text(source)
        return call(CMAKE, "-S", project, "-B", project / "build", "-G", "Ninja",
                    f"-DCMAKE_PREFIX_PATH={self.prefix}", f"-DCMAKE_CXX_COMPILER={CXX}",
                    *LAUNCHER, *options)

    def example(self, name, generator="Ninja"):
        """Builds an example as its user does, and returns its program."""
        project = self.folder / f"example_{name}"
        shutil.copytree(self.prefix / "share/doc/flitscope/examples" / name, project)
        self.build(project, "-DCMAKE_BUILD_TYPE=Debug", generator=generator)
        return project / "build" / name

    # ---- what is installed ----------------------------------------------------------------------

    def test_links_of_pages_and_pictures_lead_to_what_is_installed(self):
        pages = self.prefix / "share/doc/flitscope"
        links = pictures = 0
        for page in [pages / "README.md", *pages.rglob("hw/**/*.md"), *pages.rglob("models/**/*.md"),
                     *pages.rglob("t*/**/*.md"), *pages.rglob("waveforms/*.md"),
                     pages / "examples/README.md"]:
            text = page.read_text()
            self.assertGreater(len(text), 1000, page)
            for picture, link in re.findall(r"(!?)\[[^]\[]*\]\(([^)#:]+)(?:#[^)]*)?\)", text):
                with self.subTest(page=page, link=link):
                    self.assertTrue((page.parent / link).is_file())
                links += 1
                pictures += bool(picture)
        self.assertGreater(links, 40)
        self.assertGreater(pictures, 15)

    def test_pages_name_the_installed_program_and_its_configurations(self):
        named = set()
        for page in (self.prefix / "share/doc/flitscope").rglob("*.md"):
            text = page.read_text()
            self.assertNotIn("build/release/flitscope", text, page)
            self.assertNotRegex(text, r"testbench/configs/|<!-- (end of )?sources only", page)
            named |= set(re.findall(r"share/flitscope/configs/[\w/]+\.yaml", text))
        self.assertGreater(len(named), 5)
        for name in named:
            self.assertTrue((self.prefix / name).is_file(), name)
        front = (self.prefix / "share/doc/flitscope/README.md").read_text()
        self.assertRegex(front, r"\A# flitscope\n\nThese are the pages of the sources, beside the installed")
        self.assertNotIn("./dev demo", front)
        self.assertIn("curve mine.yaml", front)

    def test_headers_are_those_of_the_components_and_what_they_include(self):
        files = {p.relative_to(self.include).as_posix() for p in self.include.rglob("*.h")}
        reached, waiting = set(), [f"flitscope/{c}.h" for c in HEADERS]
        pattern = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
        while waiting:
            name = waiting.pop()
            if name not in reached:
                reached.add(name)
                waiting += pattern.findall((self.include / name).read_text())
        self.assertEqual(files, reached)
        for name in files:
            self.assertTrue(name.startswith("flitscope/"), name)
        # Only the names in them are others.
        entries = {f"flitscope/{c}.h" for c in HEADERS}
        for name in files:
            source = name.removeprefix("flitscope/")
            if name in entries:
                source = f"testbench/app/package/include/{name}"
            wanted = re.sub(r'^#include "(?!flitscope/)(?=\w+/)', '#include "flitscope/',
                            (ROOT / source).read_text(), flags=re.MULTILINE)
            self.assertEqual((self.include / name).read_text(), wanted, name)
        manifest = (BUILD / "install_manifest.txt").read_text()
        self.assertIn("/include/flitscope/models/config/config.h\n", manifest)

    def test_headers_that_only_verilated_routers_need_are_beside_their_source(self):
        folder = self.prefix / "share/flitscope/hw/verilated"
        own = {p.relative_to(folder / "include").as_posix() for p in (folder / "include").rglob("*.h")}
        self.assertIn("flitscope/hw/verilated/rtl_model.h", own)
        for name in own:
            self.assertFalse((self.include / name).exists(), name)
        for name in re.findall(r'^#include "(flitscope/.+)"', (folder / "verilated_router.cpp").read_text(),
                               re.MULTILINE):
            self.assertIn(name, own)

    def test_headers_of_components_compile_alone_and_say_what_they_are_for(self):
        for component in COMPONENTS:
            with self.subTest(component=component):
                source = self.folder / f"alone_{component}.cpp"
                source.write_text(f"#include <flitscope/{component}.h>\n"
                                  f"#include <flitscope/{component}.h>\n")
                flags = self.pkg_config("--cflags")
                for standard in ("c++17", "c++20"):
                    self.ok(CXX, *flags, f"-std={standard}", "-Wall", "-Wextra", "-Werror",
                            "-fsyntax-only", source)
                text = (self.include / f"flitscope/{component}.h").read_text()
                self.assertIn(f"// The CMake component `{component}`", text)

    def test_an_example_compiles_as_the_next_standard(self):
        # Not linked: Debian's SystemC asks for programs of its own standard, C++17.
        folder = self.prefix / "share/doc/flitscope/examples/platform"
        self.ok(CXX, *self.pkg_config("--cflags"), "-std=c++20", "-Wall", "-Wextra", "-Werror",
                "-fsyntax-only", folder / "main.cpp")

    def test_nothing_installed_knows_where_it_was_built(self):
        for path in self.prefix.rglob("*"):
            if path.is_file() and path.suffix not in (".so", ".a"):
                data = path.read_bytes()
                for place in (ROOT, BUILD, self.folder / "first"):
                    self.assertFalse(str(place).encode() in data, f"{place} in {path}")
        # Assertions of verilator's output name their sources; nothing is opened by these names.
        library = (self.prefix / "lib/libflitscope.a").read_bytes()
        for place in (BUILD / "rtl", ROOT / "hw"):
            self.assertFalse(str(place).encode() in library, place)

    def test_package_program_and_library_have_one_version(self):
        version = self.ok("pkg-config", "--modversion", "flitscope",
                          env={"PKG_CONFIG_PATH": str(self.prefix / "lib/pkgconfig")}).strip()
        self.assertIn(f"flitscope {version}, model ", self.ok(self.program, "--version"))
        source = self.folder / "version.cpp"
        source.write_text("#include <flitscope/fabric.h>\n#include <cstdio>\nint sc_main(int, char**)"
                          " { std::printf(\"flitscope %s, model %d\\n\", flitscope::"
                          "library_version(), flitscope::kModelVersion); return 0; }\n")
        self.ok(CXX, source, "-o", self.folder / "version", *self.pkg_config("--cflags", "--libs"))
        self.assertEqual(self.ok(self.folder / "version"), self.ok(self.program, "--version"))

    # ---- the program ----------------------------------------------------------------------------

    def test_the_program_finds_what_it_reads_beside_itself(self):
        configs = self.prefix / "share/flitscope/configs"
        shipped = {p.name for p in (ROOT / "testbench/configs").rglob("*.*") if p.suffix != ".md"}
        self.assertEqual({p.name for p in configs.rglob("*.*")}, shipped)
        text = self.ok(self.program, "run", configs / "mesh_4x4_foreign.yaml", cwd=self.folder)
        self.assertIn("complete", text)
        out = self.folder / "rtl"
        self.ok(self.program, "export", configs / "mesh_8x8_pex.yaml", "--rtl", out,
                "--set", "fabric.topology.dims=[2,2]", cwd=self.folder)
        self.assertEqual(next(out.rglob("router.sv")).read_text(),
                         (ROOT / "hw/rtl/router.sv").read_text())
        # And nowhere else: without them it says what is missing, and takes none from here.
        bare = self.folder / "bare/bin"
        bare.mkdir(parents=True)
        shutil.copy(self.program, bare)
        done = call(bare / "flitscope", "run", configs / "mesh_4x4_foreign.yaml",
                    cwd=self.prefix / "lib/flitscope/rtl")
        self.assertEqual(done.returncode, 2)
        self.assertIn("is not built, and its sources are not installed", done.stderr)
        self.assertIn("libflitscope-dev", done.stderr)

    def test_the_manual_page_has_no_errors_and_every_command(self):
        page = self.prefix / "share/man/man1/flitscope.1"
        done = call("man", "-l", "--warnings", page, env={"MANWIDTH": "100", "LC_ALL": "C.UTF-8"})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        help_text = self.ok(self.program, "--help")
        commands = re.findall(r"^  ([a-z]+) ", help_text[help_text.index("Subcommands:"):],
                              re.MULTILINE)
        self.assertGreater(len(commands), 15)
        for command in commands:
            self.assertRegex(done.stdout, rf"(?m)^   {command}$")
        self.assertIn("--engine ENGINE", done.stdout)
        self.assertIn("EXIT STATUS", done.stdout)

    def completions(self, *words):
        """What bash offers for the last of `words`."""
        script = self.prefix / "share/bash-completion/completions/flitscope"
        quoted = " ".join(f"'{word}'" for word in ("flitscope", *words))
        text = self.ok("bash", "-c", f"source '{script}'; COMP_WORDS=({quoted}); "
                       f"COMP_CWORD={len(words)}; _flitscope; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
                       cwd=self.prefix / "share/flitscope/configs")
        return text.split()

    def test_bash_completes_commands_options_values_and_files(self):
        self.ok("bash", "-n", self.prefix / "share/bash-completion/completions/flitscope")
        self.assertEqual(self.completions("expl"), ["explain", "explore"])
        self.assertEqual(self.completions("run", "--eng"), ["--engine"])
        self.assertEqual(self.completions("run", "--engine", ""), ["cycle", "tlm", "auto"])
        self.assertEqual(self.completions("reproduce", "bo"), ["boppana", "bokhari"])
        self.assertEqual(self.completions("run", "mesh_8x8_p"), ["mesh_8x8_pex.yaml"])
        self.assertEqual(self.completions("explore", "ax"), ["axes"])
        self.assertEqual(self.completions("run", "c.yaml", "--set", "fabric.buf"),
                         ["fabric.buffer_depth="])
        # As bash takes it apart.
        self.assertEqual(self.completions("run", "--set", "fabric.switch_arbitration", "=", "per"),
                         ["per_packet"])
        self.assertEqual(self.completions("run", "--set", "fabric.switch_arbitration", "="),
                         ["round_robin", "per_packet"])
        self.assertEqual(self.completions("keys", "node.send_o"), ["node.send_overhead"])

    def test_zsh_completes_too(self):
        script = self.prefix / "share/zsh/vendor-completions/_flitscope"
        self.ok("zsh", "-n", script)
        # The stand-ins for zsh's own functions print their arguments.
        text = self.ok("zsh", "-fc", "_arguments() { print -rl -- $@ }; _describe() "
                       "{ print -rl -- ${(P)2} }; words=(flitscope run ''); CURRENT=3; "
                       f"source {script}; words=(flitscope ''); CURRENT=2; _flitscope")
        self.assertRegex(text, r"(?m)^\*--engine\[Simulation engine\]:ENGINE:\(cycle tlm auto\)$")
        self.assertRegex(text, r"(?m)^run:Simulate a configuration")

    def shown(self, text):
        """The page of the examples shows what they print."""
        page = (ROOT / "testbench/examples/README.md").read_text()
        self.assertIn("".join(f"    {line}\n" for line in text.splitlines()), page)

    # ---- programs of others ---------------------------------------------------------------------

    def test_a_platform_with_two_initiators(self):
        program = self.example("platform")
        text = self.ok(program, program.parents[1] / "mesh.yaml")
        trace = self.folder / "platform.vcd"
        self.assertEqual(text, self.ok(program, program.parents[1] / "mesh.yaml", trace))
        self.assertTrue("link_000_001" in trace.read_text(), trace)
        # The page shows what it prints.
        page = (ROOT / "tlm/interconnect/INTERCONNECT.md").read_text()
        shown = re.search(r"(?m)(^    initiator .*\n)(^    .*\n)+", page)[0]
        self.assertEqual(text.split(), shown.split())
        # Errors are worded for programs, not for a command line.
        config = program.parents[1] / "refused.yaml"
        config.write_text((program.parents[1] / "mesh.yaml").read_text().replace(
            "fabric:\n", "fabric:\n  router: rtl\n"))
        done = call(program, config)
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"refused.yaml:3:\d+: error: the router router_p5_v1_d8_w64_r1_mesh is "
                         "not built")
        self.assertNotRegex(done.stderr, r"--|\./dev|flitscope [a-z]+ ")

    def test_nodes_and_an_observer_of_ones_own(self):
        program = self.example("own_nodes")
        text = self.ok(program, self.folder / "run.vcd")
        self.assertEqual(text, self.ok(program), "a trace changes nothing")
        self.shown(text)
        rings = re.findall(r"^(\d) +(\d+) +(\d+) +([\d.]+)$", text, re.MULTILINE)
        self.assertEqual([ring[:3] for ring in rings],
                         [("1", "4", "80"), ("2", "6", "120"), ("3", "4", "80"), ("4", "1", "20")])
        # One server of 1 flit per cycle: it is what they wait for, and its own channel says so.
        self.assertRegex(text, r"channel +sends +held\ninject_005 ")
        self.assertTrue("$enddefinitions" in (self.folder / "run.vcd").read_text())

    def test_a_router_of_ones_own(self):
        text = self.ok(self.example("own_router", "Unix Makefiles"))
        self.shown(text)
        rows = re.findall(r"(\d+) of 16 routers in RTL, 240 of 240 messages, +(\d+) cycles, latency "
                          r"([\d.]+)", text)
        self.assertEqual([row[0] for row in rows], ["0", "16"])
        self.assertGreater(float(rows[1][2]), float(rows[0][2]) + 1, "a cycle per router")
        self.assertGreater(int(rows[1][1]), int(rows[0][1]))

    def pkg_config(self, *options):
        return self.ok("pkg-config", *options, "flitscope",
                       env={"PKG_CONFIG_PATH": str(self.prefix / "lib/pkgconfig")}).split()

    def test_pkg_config_says_how_to_compile_and_link(self):
        program = self.folder / "by_hand"
        self.ok(CXX, self.prefix / "share/doc/flitscope/examples/own_nodes/main.cpp", "-o", program,
                *self.pkg_config("--cflags", "--libs"))
        self.assertIn("inject_005", self.ok(program))

    @suite.needs_modules("pandas", of="test")
    def test_the_python_package_calls_the_installed_program(self):
        said = self.ok(sys.executable, "-B", "-c", "import flitscope\n"
                       f"run = flitscope.run('{self.prefix}/share/flitscope/configs/mesh_4x4_program.yaml')\n"
                       "print(flitscope.find_program(), flitscope.__version__, run['version'], len(run.links))",
                       env={"PATH": f"{self.prefix}/bin", "FLITSCOPE": "",
                            "PYTHONPATH": str(self.prefix / "lib/python3/dist-packages")})
        program, version, of_program, links = said.split()
        self.assertEqual((program, version, links), (str(self.prefix / "bin/flitscope"), of_program, "48"))

    # ---- the library in other people's platforms ------------------------------------------------

    def test_a_shared_object_can_hold_the_library(self):
        plugin, host = self.folder / "plugin.cpp", self.folder / "host.cpp"
        plugin.write_text(
            "#include <flitscope/interconnect.h>\n"
            'extern "C" unsigned nodes_of(const char* file) {\n'
            '  flitscope::Interconnect net("net", flitscope::load_config(file));\n'
            "  return net.graph().node_count(); }\n")
        host.write_text('#include <cstdio>\nextern "C" unsigned nodes_of(const char*);\n'
                        'extern "C" int sc_main(int, char** arguments) '
                        '{ std::printf("%u nodes\\n", nodes_of(arguments[1])); return 0; }\n')
        shared, program = self.folder / "libplugin.so", self.folder / "host"
        self.ok(CXX, "-fPIC", "-shared", plugin, "-o", shared,
                *self.pkg_config("--cflags", "--libs"))
        self.ok(CXX, host, shared, f"-Wl,-rpath,{self.folder}", "-lsystemc", "-o", program)
        mesh = self.prefix / "share/doc/flitscope/examples/platform/mesh.yaml"
        self.assertEqual(self.ok(program, mesh), "16 nodes\n")

    def test_the_library_can_be_a_shared_one(self):
        done = self.configure("shared", f"add_subdirectory({ROOT} flitscope)\n"
                              "get_target_property(kind flitscope_package TYPE)\n"
                              "message(STATUS \"it is a ${kind}\")\n", "-DBUILD_SHARED_LIBS=ON")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("it is a SHARED_LIBRARY", done.stdout)
        # Its objects are complete, as those of the static one show without being compiled again.
        libraries = [flag for flag in self.pkg_config("--libs") if flag != "-lflitscope"]
        self.ok(CXX, "-shared", "-Wl,-z,defs", "-Wl,--whole-archive", self.prefix / "lib/libflitscope.a",
                "-Wl,--no-whole-archive", *libraries, "-o", self.folder / "libwhole.so")

    def test_a_program_keeps_its_own_lz4(self):
        theirs, program = self.folder / "theirs.c", self.folder / "keeps_lz4"
        theirs.write_text("int LZ4_versionNumber(void) { return 10904; }\n")
        self.ok(CXX, "-x", "c", "-c", theirs, "-o", self.folder / "theirs.o")
        self.ok("ar", "rcs", self.folder / "libtheirs.a", self.folder / "theirs.o")
        main = self.folder / "keeps_lz4.cpp"
        main.write_text(
            '#include <flitscope/fabric.h>\n#include <cstdio>\nextern "C" int LZ4_versionNumber();\n'
            "int sc_main(int, char** arguments) {\n"
            '  std::printf("LZ4 %d\\n", LZ4_versionNumber());\n  flitscope::NetworkOptions options;\n'
            "  options.trace = arguments[2];\n  flitscope::Network network(\"network\", "
            "flitscope::load_config(arguments[1]), options);\n  return 0; }\n")
        self.ok(CXX, main, "-o", program, *self.pkg_config("--cflags", "--libs"),
                f"-L{self.folder}", "-ltheirs")
        mesh = self.prefix / "share/doc/flitscope/examples/platform/mesh.yaml"
        self.assertEqual(self.ok(program, mesh, self.folder / "lz4.fst"), "LZ4 10904\n")

    def test_all_symbols_of_the_library_have_its_name(self):
        # Strong ones: others are instances of templates and inline functions, of all namespaces.
        named = self.ok("nm", "--defined-only", "--extern-only", self.prefix / "lib/libflitscope.a")
        strong = re.findall(r"^[0-9a-f]+ [TDBR] (\S+)$", named, re.MULTILINE)
        self.assertGreater(len(strong), 1000)
        self.assertEqual([name for name in strong if "flitscope" not in name], [])

    def fake_systemc(self, version):
        """The CMake package of a SystemC of this version, which holds nothing."""
        folder = self.folder / f"systemc_{version}"
        folder.mkdir(exist_ok=True)
        (folder / "SystemCLanguageConfig.cmake").write_text(
            "if(NOT TARGET SystemC::systemc)\nadd_library(SystemC::systemc INTERFACE IMPORTED)\n"
            "endif()\n")
        (folder / "SystemCLanguageConfigVersion.cmake").write_text(
            f'set(PACKAGE_VERSION "{version}")\nset(PACKAGE_VERSION_COMPATIBLE TRUE)\n')
        return f"-DSystemCLanguage_DIR={folder}"

    def test_a_second_systemc_is_refused_when_configured(self):
        theirs = "find_package(SystemCLanguage CONFIG REQUIRED)\n"
        ours = "find_package(flitscope 0.2 CONFIG REQUIRED COMPONENTS interconnect)\n"
        program = ("add_executable(two main.cpp)\n"
                   "target_link_libraries(two PRIVATE SystemC::systemc flitscope::interconnect)\n")
        version = self.ok("pkg-config", "--modversion", "systemc").strip()
        for order, text in (("first", theirs + ours), ("last", ours + theirs)):
            with self.subTest(order=order):
                done = self.configure(f"two_{order}", text + program, self.fake_systemc("3.0.1"))
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(f"flitscope was built with SystemC {version}, and this project uses "
                              "SystemC 3.0.1, found by find_package(SystemCLanguage): a program "
                              "cannot have both.", " ".join(done.stderr.split()))
        pc = (self.prefix / "lib/pkgconfig/flitscope.pc").read_text()
        self.assertIn(f"\nRequires: systemc = {version} ", pc)
        # One of the same version is the one for all.
        done = self.configure("two_same", theirs + ours + program + "get_target_property(links "
                              "flitscope::found_systemc INTERFACE_LINK_LIBRARIES)\n"
                              "message(STATUS \"links ${links}\")\n"
                              "message(STATUS \"built with ${flitscope_SYSTEMC_VERSION}\")\n",
                              self.fake_systemc(f"{version}.20221128"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("links SystemC::systemc", done.stdout)
        self.assertIn(f"built with {version}", done.stdout)

    def test_the_part_for_developers_alone_builds_programs_and_names_the_other(self):
        prefix = self.folder / "dev"
        self.ok(CMAKE, "--install", BUILD, "--prefix", prefix, "--component", "dev")
        self.assertFalse((prefix / "bin").exists())
        project = self.folder / "dev_only"
        project.mkdir()
        shutil.copy(prefix / "share/doc/flitscope/examples/own_nodes/main.cpp", project)
        text = ("cmake_minimum_required(VERSION 3.25)\nproject(dev_only C CXX)\n"
                "find_package(flitscope CONFIG REQUIRED COMPONENTS fabric)\n"
                "add_executable(dev_only main.cpp)\n"
                "target_link_libraries(dev_only PRIVATE flitscope::fabric)\n")
        (project / "CMakeLists.txt").write_text(text)
        options = ("-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_CXX_COMPILER={CXX}",
                   *LAUNCHER)
        self.ok(CMAKE, "-S", project, "-B", project / "build", *options)
        self.ok(CMAKE, "--build", project / "build")
        self.assertIn("inject_005", self.ok(project / "build/dev_only"))
        (project / "CMakeLists.txt").write_text(
            text + "flitscope_add_router(router_p5_v1_d8_w64_r1_mesh)\n")
        done = call(CMAKE, "-S", project, "-B", project / "build", *options)
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(" ".join(done.stderr.split()),
                         "is made with SystemVerilog of flitscope, and there is no .*sources.txt: "
                         "also install the part 'runtime' of flitscope")

    def test_unknown_components_and_other_versions_are_refused(self):
        done = self.configure("unknown", "find_package(flitscope CONFIG REQUIRED COMPONENTS fabrik)")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("flitscope has no component 'fabrik': there are interconnect, fabric, traffic, "
                      "waveforms, cci.", " ".join(done.stderr.split()))
        for version in ("0.0", "0.3", "1.0"):
            done = self.configure(f"version_{version[0]}_{version[2]}",
                                  f"find_package(flitscope {version} CONFIG REQUIRED)")
            self.assertNotEqual(done.returncode, 0, version)
        done = self.configure("optional", "find_package(flitscope 0.2 CONFIG REQUIRED COMPONENTS "
                              "fabric OPTIONAL_COMPONENTS fabrik)\n"
                              "if(NOT flitscope_fabric_FOUND OR flitscope_fabrik_FOUND)\n"
                              "message(FATAL_ERROR \"wrong\")\nendif()")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_project_can_contain_flitscope(self):
        source = (ROOT / "testbench/examples/own_nodes/main.cpp").read_text()
        text = (f"add_subdirectory({ROOT} flitscope)\n"
                "add_executable(parent main.cpp)\n"
                "target_link_libraries(parent PRIVATE flitscope::fabric flitscope::waveforms)\n")
        # Nothing is decided for the parent.
        done = self.configure("parent", text, source=source)
        self.assertEqual(done.returncode, 0, done.stderr)
        project = self.folder / "parent"
        cache = (project / "build/CMakeCache.txt").read_text()
        self.assertRegex(cache, r"(?m)^CMAKE_BUILD_TYPE:STRING=$")
        self.assertNotIn("FLITSCOPE_CCACHE", cache)
        self.assertNotIn("GTest_DIR", cache)
        targets = self.ok("ninja", "-C", project / "build", "-t", "targets", "all")
        self.assertNotRegex(targets, r"_test:|links/flitscope|router_p5")
        self.ok(CMAKE, "-DCMAKE_BUILD_TYPE=Release", project / "build")
        self.ok(CMAKE, "--build", project / "build", "--target", "parent")
        self.assertIn("inject_005", self.ok(project / "build/parent"))


if __name__ == "__main__":
    suite.main()
