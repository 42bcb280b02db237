// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "models/base/trimmed.h"
#include "models/performance/topology_metrics.h"
#include "models/topology/export/export.h"
#include "models/topology/families/topologies.h"

namespace flitscope {
namespace {

std::string path_of(const std::string& name) { return testing::TempDir() + name; }

std::string write_file(const std::string& name, const std::string& text) {
    const std::string path = path_of(name);
    std::ofstream(path) << text;
    return path;
}

Graph load(const std::string& name, const std::string& text, const FabricConfig& fabric = {}) {
    return load_custom_graph(write_file(name, text), fabric);
}

/// "line:column what (hint)" of every finding, or an empty list when the file is taken.
std::vector<std::string> findings(const std::string& name, const std::string& text,
                                  const FabricConfig& fabric = {}) {
    std::vector<std::string> found;
    try {
        load(name, text, fabric);
    } catch (const ConfigError& e) {
        for (const Diagnostic& d : e.findings()) {
            EXPECT_EQ(d.where.source, path_of(name));
            found.push_back(std::to_string(d.where.line) + ':' + std::to_string(d.where.column) +
                            ' ' + d.what + (d.hint.empty() ? "" : " (" + d.hint + ')'));
        }
    }
    return found;
}

/// "0.1->2.1 length 1 delay 1", nodes and ports.
std::string text_of(const Link& l) {
    std::ostringstream out;
    out << l.from << '.' << l.from_port << "->" << l.to << '.' << l.to_port << " length "
        << l.length << " delay " << l.delay;
    return out.str();
}
std::vector<std::string> links_of(const Graph& graph) {
    std::vector<std::string> links;
    for (const Link& l : graph.links()) links.push_back(text_of(l));
    return links;
}

/// Every link leaves and arrives at the ports that the graph lists it under.
void expect_consistent(const Graph& graph) {
    for (LinkId id = 0; id < graph.link_count(); ++id) {
        const Link& l = graph.link(id);
        EXPECT_EQ(graph.out_link(l.from, l.from_port), id);
        EXPECT_EQ(graph.in_link(l.to, l.to_port), id);
    }
}

constexpr const char* kOneWayRing =
    "links: [{from: 0, to: 1}, {from: 1, to: 2}, {from: 2, to: 3}, {from: 3, to: 0}]\n";

TEST(CustomGraph, CountsTheLongerWireOfAChannel) {
    for (const char* const lengths : {"{from: 0, to: 1, length: 1}, {from: 1, to: 0, length: 9}",
                                      "{from: 0, to: 1, length: 9}, {from: 1, to: 0, length: 1}"}) {
        const Graph graph =
            load("lengths.yaml", fmt::format("nodes: 2\nlinks: [{}]\n", lengths), {});
        const TopologyMetrics metrics = measure_topology(graph);
        EXPECT_EQ(metrics.channels, 1U);
        EXPECT_EQ(metrics.wire_length, 9U);
        EXPECT_EQ(metrics.longest_wire, 9U);
    }
}

TEST(CustomGraph, CountsWiresOfOneDirectionAcrossTheBisection) {
    const TopologyMetrics one_way =
        measure_topology(load("one_way.yaml", std::string("nodes: 4\n") + kOneWayRing, {}));
    EXPECT_EQ(one_way.bisection, 2U);  // channels, each of one link
    EXPECT_EQ(one_way.bisection_links, 1U);
}

TEST(CustomGraph, HasOneLayerWhereItsNodesAreInOneRowWhicheverThatIs) {
    for (const int row : {0, 3}) {
        std::string positions;
        for (int node = 0; node < 4; ++node) positions += fmt::format(", [{}, {}]", row, node);
        const std::string text =
            fmt::format("nodes: 4\npositions: [{}]\n{}", positions.substr(2), kOneWayRing);
        EXPECT_EQ(measure_topology(load("row.yaml", text, {})).layers, 1U) << text;
    }
}

TEST(CustomGraph, ReadsNodesLinksLengthsAndDelays) {
    const std::string path = write_file("good.yaml",
                                        "nodes: 3\n"
                                        "links:\n"
                                        "  - {from: 0, to: 1, both: true}\n"
                                        "  - {from: 1, to: 2, length: 5}\n"
                                        "  - {from: 2, to: 0, delay: 7}\n");
    FabricConfig fabric;
    fabric.link_delay = {LinkDelayModel::kLinear, 1, 2};
    const Graph graph = load_custom_graph(path, fabric);
    ASSERT_EQ(graph.link_count(), 4U);
    EXPECT_EQ(graph.link(0).to, 1U);
    EXPECT_EQ(graph.link(1).to, 0U);
    EXPECT_EQ(graph.link(2).delay, 3U);  // ceil(5 / 2)
    EXPECT_EQ(graph.link(3).delay, 7U);
    expect_consistent(graph);
}

TEST(CustomGraph, HasWiresInMillimetresThatAreAsSlowAsTheClockMakesThem) {
    const std::string path = write_file("physical.yaml",
                                        "nodes: 3\n"
                                        "links:\n"
                                        "  - {from: 0, to: 1, both: true}\n"
                                        "  - {from: 1, to: 2, length: 5}\n"
                                        "  - {from: 2, to: 0, length: 5, delay: 7}\n");
    FabricConfig fabric;
    fabric.link_delay.model = LinkDelayModel::kPhysical;
    fabric.link_delay.pitch_mm = 2;
    fabric.link_delay.ns_per_mm = 0.25;
    const auto delays = [&](double clock_ns) {
        const Graph graph = load_custom_graph(path, fabric, clock_ns);
        std::vector<std::uint32_t> all;
        for (const Link& link : graph.links()) all.push_back(link.delay);
        return all;
    };
    EXPECT_THAT(delays(0.25), testing::ElementsAre(2, 2, 10, 7));
    EXPECT_THAT(delays(1), testing::ElementsAre(1, 1, 3, 7));
    EXPECT_THAT(delays(4), testing::ElementsAre(1, 1, 1, 7));
}

TEST(CustomGraph, ReportsEveryFindingWithItsPlace) {
    const std::string path = write_file("bad.yaml",
                                        "nodes: 3\n"
                                        "links:\n"
                                        "  - {from: 0, to: 9}\n"
                                        "  - {from: 1, to: 1}\n"
                                        "  - {from: 0, to: 1}\n"
                                        "  - {from: 0, to: 1, lenght: 2}\n"
                                        "  - {from: 0, to: 2, delay: soon}\n"
                                        "  - {from: 0, to: 1}\n");
    try {
        load_custom_graph(path, {});
        FAIL() << "accepted";
    } catch (const ConfigError& e) {
        std::vector<std::size_t> lines;
        std::string all;
        for (const Diagnostic& d : e.findings()) {
            EXPECT_EQ(d.where.source, path);
            lines.push_back(d.where.line);
            all += d.str() + "\n";
        }
        EXPECT_THAT(lines, testing::ElementsAre(3, 4, 6, 7, 8)) << all;
        EXPECT_THAT(all, testing::HasSubstr("did you mean 'length'?"));
        EXPECT_THAT(all, testing::HasSubstr("link 0 -> 1 appears twice"));
    }
}

TEST(CustomGraph, RefusesWhatIsNotConnected) {
    for (const char* links : {"  - {from: 0, to: 1}\n", "  - {from: 1, to: 0}\n"}) {
        const std::string path =
            write_file("parted.yaml", std::string("nodes: 2\nlinks:\n") + links);
        EXPECT_THROW(load_custom_graph(path, {}), ConfigError);
    }
}

TEST(CustomGraph, SurvivesBrokenFiles) {
    for (const char* text :
         {"", "[", "nodes: 3", "nodes: 0\nlinks: []", "nodes: 99999999\nlinks: []",
          "links: [1, 2]\nnodes: 2", "nodes: [1]\nlinks: {}", "- 1", "nodes: 2\nlinks: [[]]",
          "nodes: -3\nlinks: []", "nodes: 123456789012345678901\nlinks: []"}) {
        EXPECT_THROW(load_custom_graph(write_file("broken.yaml", text), {}), ConfigError) << text;
    }
    EXPECT_THROW(load_custom_graph("does/not/exist.yaml", {}), ConfigError);
    EXPECT_THROW(load_custom_graph(testing::TempDir(), {}), ConfigError);
}

TEST(CustomGraph, PlacesNodesInASquareWhenTheFileDoesNot) {
    const Graph graph =
        load("places.yaml",
             "nodes: 5\nlinks:\n"
             "  - {from: 0, to: 1, both: true}\n  - {from: 1, to: 2, both: true}\n"
             "  - {from: 2, to: 3, both: true}\n  - {from: 3, to: 4, both: true}\n");
    EXPECT_EQ(graph.position(2).row, 0U);
    EXPECT_EQ(graph.position(2).column, 2U);
    EXPECT_EQ(graph.position(4).row, 1U);
    EXPECT_EQ(graph.position(4).column, 1U);
    for (const Link& link : graph.links()) EXPECT_EQ(link.length, 1U);
    const Graph square = load("places.csv", "from,to\n0,1\n1,2\n2,3\n3,0\n");
    EXPECT_EQ(square.position(2).row, 1U);
    EXPECT_EQ(square.position(2).column, 0U);
}

TEST(CustomGraph, MeasuresWiresBetweenStatedPositions) {
    FabricConfig fabric;
    fabric.link_delay = {LinkDelayModel::kLinear, 1, 2};
    const Graph graph = load("places.yaml",
                             "nodes: 3\npositions: [[0, 0], [2, 3], [2, 3]]\nlinks:\n"
                             "  - {from: 0, to: 1, both: true}\n"
                             "  - {from: 1, to: 2, both: true}\n"
                             "  - {from: 2, to: 0, length: 9}\n",
                             fabric);
    EXPECT_THAT(links_of(graph),
                testing::ElementsAre("0.1->1.1 length 5 delay 3", "1.1->0.1 length 5 delay 3",
                                     "1.2->2.1 length 1 delay 1", "2.1->1.2 length 1 delay 1",
                                     "2.2->0.2 length 9 delay 5"));
}

TEST(CustomGraph, TakesStatedPorts) {
    const Graph graph =
        load("ports.yaml",
             "nodes: 2\nlinks:\n  - {from: 0, to: 1, from_port: 3, to_port: 2, both: true}\n");
    EXPECT_EQ(graph.port_count(), 4U);
    EXPECT_THAT(links_of(graph),
                testing::ElementsAre("0.3->1.2 length 1 delay 1", "1.2->0.3 length 1 delay 1"));
}

TEST(CustomGraph, RefusesPortsThatDoNotFit) {
    const auto with = [](const std::string& links) {
        return findings("ports.yaml", "nodes: 3\nlinks:\n" + links);
    };
    EXPECT_THAT(
        with("  - {from: 0, to: 1, from_port: 0, to_port: 1}\n"),
        testing::ElementsAre("3:33 'from_port' must be an integer from 1 to 65535, found '0'"));
    EXPECT_THAT(with("  - {from: 0, to: 1, from_port: 1}\n"),
                testing::ElementsAre("3:5 the link has only one of from_port and to_port"));
    EXPECT_THAT(with("  - {from: 0, to: 1, from_port: 1, to_port: 1}\n  - {from: 1, to: 2}\n"),
                testing::ElementsAre("4:5 this link has no ports, those before have some (state "
                                     "from_port and to_port of every link, or of none)"));
    EXPECT_THAT(with("  - {from: 0, to: 1, from_port: 1, to_port: 1}\n"
                     "  - {from: 0, to: 2, from_port: 1, to_port: 1}\n"),
                testing::ElementsAre("4:5 output port 1 of node 0 is used twice"));
    EXPECT_THAT(with("  - {from: 0, to: 2, from_port: 1, to_port: 1}\n"
                     "  - {from: 1, to: 2, from_port: 1, to_port: 1}\n"),
                testing::ElementsAre("4:5 input port 1 of node 2 is used twice"));
    EXPECT_THAT(with("  - {from: 0, to: 1, from_port: 1, to_port: 1}\n"
                     "  - {from: 2, to: 0, from_port: 1, to_port: 1}\n"),
                testing::ElementsAre("4:5 port 1 of node 0 is used twice, for nodes 1 and 2 (a "
                                     "port joins a node to one other node)"));
}

TEST(CustomGraph, RefusesWidthsThatTheFabricDoesNotHave) {
    const std::string text = "nodes: 2\nlinks:\n  - {from: 0, to: 1, width: 32, both: true}\n";
    FabricConfig fabric;
    EXPECT_THAT(findings("width.yaml", text, fabric),
                testing::ElementsAre("3:5 a link of width 32 in a fabric of 64-bit flits (every "
                                     "link moves one flit per cycle: leave the width out, or set "
                                     "fabric.flit_bits)"));
    fabric.flit_bits = 32;
    EXPECT_THAT(findings("width.yaml", text, fabric), testing::IsEmpty());
    for (auto budget : {&FabricConfig::pin_budget, &FabricConfig::bisection_budget}) {
        FabricConfig divided = fabric;
        divided.*budget = 128;
        EXPECT_THAT(findings("width.yaml", text, divided),
                    testing::ElementsAre("3:5 a link of stated width in a fabric whose wires a "
                                         "budget divides (leave the width out)"));
    }
}

TEST(CustomGraph, RefusesPositionsThatDoNotFit) {
    const auto with = [](const std::string& positions) {
        return findings("places.yaml", "nodes: 2\npositions: " + positions +
                                           "\nlinks: [{from: 0, to: 1, both: true}]\n");
    };
    const std::string hint = " (positions: [[0, 0], [0, 1], ...], row and column of each node)";
    EXPECT_THAT(with("[[0, 0]]"), testing::ElementsAre("2:12 1 positions for 2 nodes" + hint));
    EXPECT_THAT(with("3"),
                testing::ElementsAre("2:12 'positions' must be a list, found '3'" + hint));
    EXPECT_THAT(with("[[0, 0], [1]]"),
                testing::ElementsAre("2:21 a position is a list of row and column ([0, 1])"));
    EXPECT_THAT(
        with("[[0, 0], [1, -1]]"),
        testing::ElementsAre("2:25 'column' must be an integer from 0 to 65535, found '-1'"));
}

TEST(CustomGraph, ReadsCsv) {
    const Graph graph = load("links.csv",
                             "\xef\xbb\xbf# A ring with a shortcut.\r\n# nodes: 3\r\n\r\n"
                             "to,from,both,delay,\"length\"\r\n"
                             "1,0,,,\r\n2, 1,,4,\r\n0,2,,,6\r\n2,0,false,,\r\n");
    EXPECT_THAT(links_of(graph),
                testing::ElementsAre("0.1->1.1 length 1 delay 1", "1.2->2.1 length 1 delay 4",
                                     "2.2->0.2 length 6 delay 1", "0.2->2.2 length 1 delay 1"));
    EXPECT_EQ(
        load("links.csv", "from,to,both\n0,1,true\n1,4,true\n4,3,true\n3,2,true\n").node_count(),
        5U);
    EXPECT_EQ(load("links.csv", "from,to,from_port,to_port\n0,1,4,1\n1,0,1,4\n").port_count(), 5U);
    EXPECT_EQ(load("links.csv", "# nodes: 1\nfrom,to").node_count(), 1U);
}

TEST(Trimmed, IsAPartOfTheTextEvenWhereNothingRemains) {
    const std::string_view text = "\t a b \r\n";
    EXPECT_EQ(trimmed(text), "a b");
    EXPECT_EQ(trimmed(text).data(), text.data() + 2);  // whose column a message can tell
    EXPECT_EQ(trimmed("a"), "a");
    const std::string_view blank = " \r\n";
    EXPECT_TRUE(trimmed(blank).empty());
    EXPECT_EQ(trimmed(blank).data(), blank.data() + blank.size());
}

TEST(CustomGraph, ReportsFindingsInCsvWithTheirPlace) {
    const auto with = [](const std::string& text) { return findings("links.csv", text); };
    EXPECT_THAT(with("from,to,lenght,from\n0,1,1,0\n"),
                testing::ElementsAre("1:9 unknown column 'lenght' (did you mean 'length'?)",
                                     "1:16 column from occurs twice"));
    EXPECT_THAT(with("source,to\n0,1\n"),
                testing::ElementsAre(
                    "1:1 unknown column 'source' (columns here: from, to, length, delay, width, "
                    "from_port, to_port, both)",
                    "1:1 column from is missing (begin with a line such as: "
                    "from,to,length,delay,both)"));
    EXPECT_THAT(with("# nodes: 2\nfrom,to,delay,both\n0,2,,\n,1,,\n0,1,soon,\n0,1,,maybe\n0,1\n"
                     "1,1,,\n0,1,,true\n1,0,,\n"),
                testing::ElementsAre(
                    "3:3 'to' must be an integer from 0 to 1, found '2'",
                    "4:1 'from' must be an integer from 0 to 1, found nothing",
                    "5:5 'delay' must be an integer from 1 to 1048576, found 'soon'",
                    "6:6 'both' must be true or false, found 'maybe'", "7:1 2 values for 4 columns",
                    "8:1 link from node 1 to itself", "10:1 link 1 -> 0 appears twice"));
    EXPECT_THAT(with("from,to\n0,1\n"),
                testing::ElementsAre("1:1 node 0 cannot be reached from node 1 (every node must "
                                     "reach every other one; add links)"));
    EXPECT_THAT(with("from,to\n1,0\n"),
                testing::ElementsAre("1:1 node 1 cannot be reached from node 0 (every node must "
                                     "reach every other one; add links)"));
    EXPECT_THAT(with("from,to\n0,65536\n"),
                testing::ElementsAre("2:3 'to' must be an integer from 0 to 65535, found "
                                     "'65536'"));
    EXPECT_THAT(with("# nodes: 70000\nfrom,to\n0,1\n"),
                testing::ElementsAre("1:1 'nodes' must be an integer from 1 to 65536, found "
                                     "'70000'"));
    EXPECT_THAT(with("from,to\n# nodes: 2\n0,1\n1,0\n"),
                testing::ElementsAre("2:1 the number of nodes stands below the header (write it "
                                     "above)"));
    EXPECT_THAT(with("from,to\n"), testing::ElementsAre("1:1 the graph has no nodes"));
    EXPECT_THAT(with("# only a comment\n"),
                testing::ElementsAre("0:0 the graph file has no header (begin with a line such "
                                     "as: from,to,length,delay,both)"));
    EXPECT_THAT(with(" \n"), testing::ElementsAre("0:0 the graph file is empty"));
}

TEST(CustomGraph, CountsTheFindingsThatItDoesNotShow) {
    std::string text = "from,to\n";
    for (int i = 0; i < 73; ++i) text += "5,5\n";
    const std::vector<std::string> found = findings("links.csv", text);
    ASSERT_EQ(found.size(), 51U);
    EXPECT_EQ(found[49], "51:1 link from node 5 to itself");
    EXPECT_EQ(found[50], "52:1 23 more of these");
}

TEST(CustomGraph, RefusesMorePortsThanATableHolds) {
    std::string text = "from,to,both\n";
    for (int leaf = 1; leaf < 65536; ++leaf) text += "0," + std::to_string(leaf) + ",true\n";
    EXPECT_THAT(findings("star.csv", text),
                testing::ElementsAre("1:1 65536 nodes with ports up to 65535 are too many ports "
                                     "(nodes times ports of the largest router may be 67108864)"));
}

TEST(CustomGraph, ReadsGraphml) {
    const Graph graph = load("g.graphml", R"(<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="l" for="edge" attr.name="length" attr.type="int"><default>2</default></key>
  <key id="d" for="edge" attr.name="delay" attr.type="int"/>
  <key id="r" for="node" attr.name="row" attr.type="int"/>
  <key id="c" for="node" attr.name="column" attr.type="int"/>
  <key id="w" for="edge" attr.name="weight" attr.type="double"/>
  <key id="y" for="node" yfiles.type="nodegraphics"/>
  <graph edgedefault="undirected">
    <edge source="b" target="a"><data key="d"> 3 </data><data key="w">0.5</data></edge>
    <node id="b"><data key="r">0</data><data key="c">4</data><data key="y"><x><z/></x></data></node>
    <node id="a"><data key="r">1</data><data key="c">0</data></node>
    <node id="c"><data key="r">7</data><data key="c">0</data><desc>unused</desc></node>
    <edge source="a" target="c" directed="true"><data key="l">5</data></edge>
    <edge source="c" target="b" directed="true"/>
  </graph>
</graphml>)");
    EXPECT_THAT(links_of(graph),
                testing::ElementsAre("0.1->1.1 length 2 delay 3", "1.1->0.1 length 2 delay 3",
                                     "1.2->2.1 length 5 delay 1", "2.2->0.2 length 2 delay 1"));
    EXPECT_EQ(graph.position(2).row, 7U);
    const Graph numbered =
        load("g.xml",
             "<graphml><graph edgedefault='undirected'><node id='1'/><node id='2'/>"
             "<node id='0'/><edge source='2' target='1'/><edge source='1' target='0'/>"
             "</graph></graphml>");
    EXPECT_EQ(numbered.link(0).from, 2U);
    EXPECT_EQ(numbered.link(2).to, 0U);
}

TEST(CustomGraph, ReadsGraphmlWithAKeyForEveryNode) {
    constexpr int kNodes = 6000;
    std::string text = "<graphml>";
    for (int i = 0; i < kNodes; ++i) {
        text += "<key id='k" + std::to_string(i) + "' for='edge' attr.name='delay'><default>" +
                std::to_string(i % 7 + 1) + "</default></key>";
    }
    text += "<graph>";
    for (int i = 0; i < kNodes; ++i) {
        const std::string next = std::to_string((i + 1) % kNodes);
        text += "<node id='" + std::to_string(i) + "'/><edge source='" + std::to_string(i) +
                "' target='" + next + "'>" + (i == 1 ? "<data key='k5'>9</data>" : "") + "</edge>";
    }
    // 36 million keys and edges, were each key asked of each edge.
    const Graph graph = load("keys.graphml", text + "</graph></graphml>");
    EXPECT_EQ(graph.link(1).delay, 9U);
    EXPECT_EQ(graph.link(2).delay, 999U % 7 + 1);  // of k999, the last id of all
}

TEST(CustomGraph, ReportsFindingsInGraphmlWithTheirPlace) {
    const auto with = [](const std::string& inside) {
        return findings("g.graphml", "<graphml>\n" + inside + "\n</graphml>\n");
    };
    EXPECT_THAT(with("<key id='k' for='edge' attr.name='dealy'/><graph/>"),
                testing::ElementsAre("2:1 unknown attribute 'dealy' (did you mean 'delay'?)"));
    EXPECT_THAT(with("<key id='k' for='node' attr.name='x'/><graph/>"),
                testing::ElementsAre("2:1 unknown attribute 'x' (attributes here: row, column, "
                                     "endpoint)"));
    EXPECT_THAT(
        with("<graph>\n<node id='a'/>\n<node id='a'/>\n<hyperedge/>\n"
             "<edge source='a'/>\n<graph/></graph>"),
        testing::ElementsAre("4:1 a second node 'a'", "5:1 a <hyperedge> (a link joins two nodes)",
                             "6:1 <edge> without the attribute 'target'",
                             "7:1 a second <graph> (a network is one graph without others "
                             "in it)"));
    EXPECT_THAT(with("<key id='d' for='edge' attr.name='delay'/>\n"
                     "<key id='r' for='node' attr.name='row'/>\n"
                     "<graph edgedefault='undirected'>\n"
                     "<node id='a'><data key='r'>1</data></node>\n<node id='b'/>\n"
                     "<edge source='a' target='b'><data key='d'>0</data></edge>\n"
                     "<edge source='a' target='c'/>\n"
                     "<edge source='a' target='a'/>\n"
                     "<edge source='a' target='b'/>\n<edge source='b' target='a'/></graph>"),
                testing::ElementsAre("5:1 the node has only one of row and column",
                                     "7:29 'delay' must be an integer from 1 to 1048576, found '0'",
                                     "8:1 no node 'c'", "9:1 link from node 'a' to itself",
                                     "11:1 link 'b' -> 'a' appears twice",
                                     "11:1 link 'a' -> 'b' appears twice"));
    EXPECT_THAT(with("<graph><node id='a'><data key='none'>1</data></node></graph>"),
                testing::ElementsAre("2:21 no <key> has the id 'none'"));
    EXPECT_THAT(with("<graph><node id='0'/><node id='x'/></graph>"),
                testing::ElementsAre("0:0 some nodes have numbers for names and some have not "
                                     "(number all of them from 0, or give all of them names)"));
    EXPECT_THAT(with("<graph><node id='1'/><node id='2'/></graph>"),
                testing::ElementsAre("0:0 2 nodes have numbers for names, but 0 is not among them "
                                     "(number them from 0 without a gap, or give them names)"));
    EXPECT_THAT(
        with("<graph><node id='a'/><node id='b'/></graph>"),
        testing::ElementsAre("0:0 node 'b' cannot be reached from node 'a' (every node must "
                             "reach every other one; add links)"));
    EXPECT_THAT(with("<graph/>"), testing::ElementsAre("0:0 the graph has no nodes"));
    EXPECT_THAT(with(""), testing::ElementsAre("0:0 the file has no <graph> in a <graphml>"));
    EXPECT_THAT(with("<graph>\n</graf>"),
                testing::ElementsAre("3:3 this is not XML: mismatched tag"));
    EXPECT_THAT(findings("g.xml", "<svg><graph><node id='0'/></graph></svg>"),
                testing::ElementsAre("1:1 the file does not begin with <graphml>"));
}

TEST(CustomGraph, ReadsDot) {
    const Graph graph = load("g.dot", R"(# a comment
digraph "two stars" {
    node [shape=box]; edge [delay=2];
    hub -> left [length=3, color=red];
    left -> hub;
    right -> hub -> "far right" [both=true, delay=4];
    hub [row=0, column=1]; left [row=0, column=0];
    right [row=0, column=2]; "far right" [row=5, column=2];
})");
    EXPECT_THAT(links_of(graph),
                testing::ElementsAre("0.1->1.1 length 3 delay 2", "1.1->0.1 length 1 delay 2",
                                     "2.1->0.2 length 1 delay 4", "0.2->2.1 length 1 delay 4",
                                     "0.3->3.1 length 6 delay 4", "3.1->0.3 length 6 delay 4"));
    const Graph ring = load("g.gv",
                            "graph { 2 -- 1 -- 0 -- 2; 1 [row=0, column=5]; 0 [row=0, "
                            "column=0]; 2 [row=1, column=1] }");
    EXPECT_THAT(links_of(ring),
                testing::ElementsAre("2.1->1.1 length 5 delay 1", "1.1->2.1 length 5 delay 1",
                                     "1.2->0.1 length 5 delay 1", "0.1->1.2 length 5 delay 1",
                                     "0.2->2.2 length 2 delay 1", "2.2->0.2 length 2 delay 1"));
}

TEST(CustomGraph, NumbersSwitchesBehindTheOthersAndKeepsTheirNames) {
    const Graph dot = load("switches.dot",
                           "graph { node [endpoint=false]; x0; x1; node [endpoint=true]\n"
                           "x0 -- {cpu0 \"cpu-1\"}; x1 -- {cpu0 mem}; mem [endpoint=true] }");
    EXPECT_EQ(dot.endpoint_count(), 3U);
    EXPECT_THAT(dot.given_names(), testing::ElementsAre("cpu0", "cpu-1", "mem", "x0", "x1"));
    const Graph graphml =
        load("switches.graphml",
             "<graphml><key id='e' for='node' attr.name='endpoint'><default>true</default></key>"
             "<graph edgedefault='undirected'>"
             "<node id='x0'><data key='e'>false</data></node>"
             "<node id='x1'><data key='e'>false</data></node>"
             "<node id='cpu0'/><node id='cpu-1'/><node id='mem'><data key='e'>true</data></node>"
             "<edge source='x0' target='cpu0'/><edge source='x0' target='cpu-1'/>"
             "<edge source='x1' target='cpu0'/><edge source='x1' target='mem'/></graph></graphml>");
    EXPECT_EQ(graphml.endpoint_count(), 3U);
    EXPECT_EQ(graphml.given_names(), dot.given_names());
    EXPECT_EQ(links_of(graphml), links_of(dot));
    const Graph yaml = load("switches.yaml",
                            "nodes: 5\nendpoints: 3\nlinks: [{from: 3, to: 0, both: true}, "
                            "{from: 3, to: 1, both: true}, {from: 4, to: 0, both: true}, "
                            "{from: 4, to: 2, both: true}]\n");
    EXPECT_EQ(links_of(yaml), links_of(dot));
    // Numbers stay what they are.
    const Graph numbers = load("numbers.dot", "graph { 2 [endpoint=false]; 2 -- {1 0} }");
    EXPECT_EQ(numbers.endpoint_count(), 2U);
    EXPECT_THAT(numbers.given_names(), testing::IsEmpty());
    EXPECT_EQ(numbers.link(0).from, 2U);
}

TEST(CustomGraph, TakesTruthAsPythonWritesIt) {
    const Graph dot = load("g.dot", "graph { s [endpoint=False]; s -- a; s -- b [both=TRUE] }");
    EXPECT_EQ(dot.endpoint_count(), 2U);
    EXPECT_EQ(load("g.csv", "from,to,both\n0,1,True\n1,2,TRUE\n").link_count(), 4U);
}

TEST(CustomGraph, RefusesSwitchesThatAreNone) {
    const auto dot = [](const std::string& text) { return findings("s.dot", text); };
    EXPECT_THAT(dot("graph { a -- b; a [endpoint=no]; b [row=x, column=1] }"),
                testing::ElementsAre("1:20 'endpoint' must be true or false, found 'no'",
                                     "1:37 'row' must be an integer from 0 to 65535, found 'x'"));
    EXPECT_THAT(dot("graph { node [endpoint=false]; a -- b }"),
                testing::ElementsAre("0:0 all nodes are switches (leave endpoint=false out where a "
                                     "node sends and receives)"));
    EXPECT_THAT(
        dot("graph { 0 [endpoint=false]; 0 -- 1 }"),
        testing::ElementsAre("0:0 node 1 sends and receives, and node 0 before it is a "
                             "switch (give switches the last numbers, or all nodes names)"));
    EXPECT_THAT(dot("graph { a -- b; a [endpiont=false] }"),
                testing::ElementsAre("1:20 unknown node attribute 'endpiont' (did you mean "
                                     "'endpoint'?)"));
    EXPECT_THAT(findings("s.graphml",
                         "<graphml>\n<key id='e' for='node' attr.name='endpoint'/>\n"
                         "<graph edgedefault='undirected'>\n"
                         "<node id='a'><data key='e'>0</data></node>\n<node id='b'/>\n"
                         "<edge source='a' target='b'/></graph></graphml>\n"),
                testing::ElementsAre("4:14 'endpoint' must be true or false, found '0'"));
}

TEST(CustomGraph, ReportsFindingsInDot) {
    const auto with = [](const std::string& text) { return findings("g.dot", text); };
    EXPECT_THAT(with("digraph {\n  a -> b;\n  b -> ;\n}\n"),
                testing::ElementsAre("3:8 this is not DOT: syntax error near ';'"));
    EXPECT_THAT(with("no graph"),
                testing::ElementsAre("1:1 this is not DOT: syntax error near 'no'"));
    EXPECT_THAT(with("digraph { a -- b }"),
                testing::ElementsAre("1:13 this is not DOT: syntax error near '--'"));
    EXPECT_THAT(with("graph { 1a -- b }"),
                testing::ElementsAre("1:9 this is not DOT: '1a' is neither a name nor a number"));
    EXPECT_THAT(with("graph {\n a -- \"b"),
                testing::ElementsAre("2:7 this is not DOT: a quoted text without end"));
    EXPECT_THAT(with("graph { a -- b }\ngraph { a -- b }\n"),
                testing::ElementsAre("2:1 the file has a second graph"));
    EXPECT_THAT(with("graph { a -- b [lenght=3]; a [colunm=1] }"),
                testing::ElementsAre("1:17 unknown edge attribute 'lenght' (did you mean "
                                     "'length'?)",
                                     "1:31 unknown node attribute 'colunm' (did you mean "
                                     "'column'?)"));
    EXPECT_THAT(with("graph { a -- b [delay=x]; a -- a; a -- b; a [row=3] }"),
                testing::ElementsAre("1:9 node 'a' has only one of row and column",
                                     "1:17 'delay' must be an integer from 1 to 1048576, found 'x'",
                                     "1:27 link from node 'a' to itself"));
    EXPECT_THAT(with("graph { a -- b; a [row=3, column=1] }"),
                testing::ElementsAre("0:0 node 'b' has no position, others have one (state the row "
                                     "and column of every node, or of none)"));
    EXPECT_THAT(with("graph { 1 -- 2 }"),
                testing::ElementsAre("0:0 2 nodes have numbers for names, but 0 is not among them "
                                     "(number them from 0 without a gap, or give them names)"));
    EXPECT_THAT(with("graph { }"), testing::ElementsAre("0:0 the graph has no nodes"));
    EXPECT_THAT(
        with("digraph { a -> b }"),
        testing::ElementsAre("0:0 node 'a' cannot be reached from node 'b' (every node must "
                             "reach every other one; add links)"));
    EXPECT_THAT(with("graph { a -- b }"), testing::IsEmpty()) << "after errors";
}

TEST(CustomGraph, ReadsDotAsGraphvizDoes) {
    // Defaults hold from where they stand to the end of their braces, and go on in the next part of
    // a subgraph; ends of edges may be subgraphs and lists; keys and `strict` make edges one.
    const Graph graph = load("g.dot", R"(strict digraph "g" + "raph" {
# 1 "elsewhere.dot"
        a -> { b c } -> "d" + /* of two
        lines */ "d" [delay=2];
        subgraph s { edge [delay=3]; dd:port:nw -> a; n -> a }
        subgraph s { b, c -> a; }
        Edge [length=4] c -> b; label = <a <b>x</b> "> // -> nothing
        b -> c n -> b [length=7,delay=1]
        a -> b [length=6]
        a -> n
    })");
    // As `dot -Tcanon` of Graphviz 2.43 says of the same text.
    EXPECT_THAT(links_of(graph),
                testing::ElementsAre("0.1->1.1 length 6 delay 2", "0.2->2.1 length 1 delay 2",
                                     "1.2->3.1 length 1 delay 2", "2.2->3.2 length 1 delay 2",
                                     "3.3->0.3 length 1 delay 3", "4.1->0.4 length 1 delay 3",
                                     "1.1->0.1 length 1 delay 3", "2.1->0.2 length 1 delay 3",
                                     "2.3->1.3 length 4 delay 1", "1.3->2.3 length 4 delay 1",
                                     "4.2->1.4 length 7 delay 1", "0.4->4.1 length 4 delay 1"));
}

TEST(CustomGraph, LongNamesAndLargeProductsInDotAreRefused) {
    const std::string name(1200, 'x');
    // These crashed Graphviz's library, or took it minutes and gigabytes.
    EXPECT_THAT(findings("g.dot", "# 1 \"" + name + "\"\ngraph { a -- }\n"),
                testing::ElementsAre("2:14 this is not DOT: syntax error near '}'"));
    EXPECT_THAT(findings("g.dot", "graph { a -- " + name + " " + name + " ] }"),
                testing::ElementsAre(testing::StartsWith("1:2416 this is not DOT: syntax error")));
    EXPECT_THAT(findings("g.dot", "graph { a -- \"" + std::string(1U << 25, 'x') + "\" }"),
                testing::ElementsAre("1:14 this is not DOT: a quoted text of more than "
                                     "16384 characters, or without end"));
    std::string sum = "graph { a -- \"b\"";
    for (int i = 0; i < 1000000; ++i) sum += "+\"b\"";
    EXPECT_THAT(findings("g.dot", sum + " }"),
                testing::ElementsAre("1:14 this is not DOT: a quoted text of more than "
                                     "16384 characters, or without end"));
    std::string groups = "graph {\n{";
    for (int node = 0; node < 6000; ++node) {
        groups += (node == 3000 ? "} -- { n" : " n") + std::to_string(node);
    }
    EXPECT_THAT(findings("g.dot", groups + "} }"),
                testing::ElementsAre("2:1 more than 4194304 edges"));
    std::string again = "strict graph { subgraph s {";
    for (int node = 0; node < 60000; ++node) again += " n" + std::to_string(node);
    again += "}\n";
    for (int i = 0; i < 100000; ++i) again += "subgraph s {} -- n0\n";
    EXPECT_THAT(findings("g.dot", again + " }"),
                testing::ElementsAre("71:1 more than 4194304 edges"));
}

TEST(CustomGraph, MoreValuesThanAGraphHasAreRefused) {
    EXPECT_THAT(findings("g.csv", std::string(5U << 20, ',') + "\n"),
                testing::ElementsAre("1:1 more than 1000 columns"));
    std::string ones = "nodes: 2\nlinks: [1";
    for (int i = 0; i < (1 << 23); ++i) ones += ",1";
    EXPECT_THAT(findings("g.yaml", ones + "]\n"),
                testing::ElementsAre(testing::HasSubstr("has more than 8388608 entries")));
}

TEST(CustomGraph, RefusesOtherKindsOfFile) {
    EXPECT_THAT(findings("graph.txt", "nodes: 1\nlinks: []\n"),
                testing::ElementsAre(testing::HasSubstr(
                    "is not a known kind of graph file (name it .yaml, .yml, .csv, .graphml, "
                    ".xml, .dot or .gv)")));
}

TEST(CustomGraph, SurvivesHostileFilesOfEveryKind) {
    std::string deep_xml = "<graphml>";
    for (int i = 0; i < 200000; ++i) deep_xml += "<a>";
    std::string all_bytes;
    for (int i = 0; i < 256 * 9; ++i) all_bytes += static_cast<char>(i);
    std::string names = "graph { a -- b";
    for (int i = 0; i < 70000; ++i) names += ";n" + std::to_string(i);
    for (const char* name : {"bad.csv", "bad.graphml", "bad.dot", "bad.yaml"}) {
        for (const std::string& text :
             {std::string(), all_bytes, std::string(300000, '{'), std::string(100, '\0'),
              "graph {" + std::string(100000, '{'), deep_xml, names + " }",
              "graph { \"" + std::string(100000, 'x'), std::string("graph { a [label=<<<<] }"),
              std::string("<!DOCTYPE g [<!ENTITY a \"x\"><!ENTITY b \"&a;&a;\">]>"
                          "<graphml><graph><node id='&b;'/></graph></graphml><x/>")}) {
            EXPECT_THAT(findings(name, text), testing::Not(testing::IsEmpty()))
                << name << ' ' << text.substr(0, 40);
        }
    }
}

TEST(CustomGraph, RefusesEveryCutOfAFileThatHasAnEnd) {
    const std::string dot =
        "graph g { edge [delay=2]; a -- {b \"c d\"} [length=3]; b [row=0, column=1]; /* two */ "
        "a [row=0, column=0]; \"c d\" [row=1, column=1] }";
    const std::string graphml =
        "<?xml version='1.0'?><graphml><key id='d' for='edge' attr.name='delay'>"
        "<default>2</default></key><!-- two nodes --><graph edgedefault='undirected'>"
        "<node id='a'/><node id='b'/><edge source='a' target='b'><data key='d'>3</data></edge>"
        "</graph></graphml>";
    for (const auto& [name, whole] :
         {std::pair(std::string("cut.dot"), dot), std::pair(std::string("cut.graphml"), graphml)}) {
        const std::size_t end = whole.find_last_not_of('\n');
        for (std::size_t size = 0; size <= end; ++size) {
            ASSERT_THAT(findings(name, whole.substr(0, size)), testing::Not(testing::IsEmpty()))
                << name << ' ' << size;
        }
        ASSERT_THAT(findings(name, whole), testing::IsEmpty());
    }
}

std::vector<TopologyConfig> one_of_each_kind() {
    const auto make = [](const char* kind, std::vector<std::uint32_t> dims) {
        TopologyConfig topology;
        topology.kind = kind;
        topology.dims = std::move(dims);
        return topology;
    };
    std::vector<TopologyConfig> all = {make("mesh", {3, 4}),  make("mesh", {2, 3, 3}),
                                       make("torus", {4, 5}), make("torus", {4, 5}),
                                       make("hypercube", {}), make("ghc", {4, 3}),
                                       make("how", {5, 6}),   make("mesh", {1})};
    all.push_back(make("fat_tree", {}));
    all.back().parameters = {{"arity", 2}, {"height", 3}};
    all[3].folded = true;
    all[4].dimensions = 4;
    all[6].windows = {3, 2};
    for (const ExpressLayout layout : kExpressLayouts) {
        all.push_back(make("express_mesh", {9, 9}));
        all.back().segment = 4;
        all.back().layout = layout;
        if (all.back().layout == ExpressLayout::kHierarchy) {
            all.back().segment = 2;
            all.back().levels = 3;
        }
    }
    return all;
}

TEST(Export, YamlReadAgainGivesTheSameLinksPortsLengthsDelaysAndPlaces) {
    for (const TopologyConfig& topology : one_of_each_kind()) {
        Config config;
        config.fabric.topology = topology;
        config.fabric.link_delay = {LinkDelayModel::kLinear, 1, 2};
        const Graph graph = build_topology(config);
        std::ostringstream out;
        write_graph_yaml(out, graph);
        const Graph again = load("again.yaml", out.str());
        SCOPED_TRACE(graph.description());
        ASSERT_EQ(again.node_count(), graph.node_count());
        EXPECT_EQ(again.endpoint_count(), graph.endpoint_count());
        EXPECT_EQ(links_of(again), links_of(graph));
        for (NodeId node = 0; node < graph.node_count(); ++node) {
            EXPECT_EQ(again.position(node).row, graph.position(node).row);
            EXPECT_EQ(again.position(node).column, graph.position(node).column);
        }
        expect_consistent(again);
    }
}

TEST(Export, DotReadAgainGivesTheSameLinksInAnyOrder) {
    for (const TopologyConfig& topology : one_of_each_kind()) {
        Config config;
        config.fabric.topology = topology;
        config.fabric.link_delay = {LinkDelayModel::kLinear, 1, 2};
        const Graph graph = build_topology(config);
        std::ostringstream out;
        write_graph_dot(out, graph);
        const Graph again = load("again.dot", out.str());
        SCOPED_TRACE(graph.description());
        ASSERT_EQ(again.node_count(), graph.node_count());
        EXPECT_EQ(again.endpoint_count(), graph.endpoint_count());
        EXPECT_THAT(links_of(again), testing::UnorderedElementsAreArray(links_of(graph)));
        for (NodeId node = 0; node < graph.node_count(); ++node) {
            EXPECT_EQ(again.position(node).row, graph.position(node).row);
            EXPECT_EQ(again.position(node).column, graph.position(node).column);
        }
    }
}

TEST(Export, DotKeepsLinksApartThatDifferByDirection) {
    Graph graph("custom", {3}, 3);
    graph.add_link({0, 1, 1, 1, kNoDimension, 1, 2});
    graph.add_link({1, 1, 0, 1, kNoDimension, 1, 3});
    graph.add_link({1, 2, 2, 1, kNoDimension, 1, 1});
    graph.add_link({2, 2, 0, 2, kNoDimension, 4, 1});
    std::ostringstream out;
    write_graph_dot(out, graph);
    EXPECT_THAT(links_of(load("again.dot", out.str())), testing::ElementsAreArray(links_of(graph)));
    EXPECT_THAT(out.str(), testing::Not(testing::HasSubstr("both=true")));
    EXPECT_THAT(out.str(), testing::HasSubstr("3 nodes, 3 channels"));
}

TEST(Export, JsonHoldsNodesAndLinks) {
    Graph graph("mesh", {1, 2}, 3);
    graph.set_description("say \"hi\"");
    graph.add_link({0, 1, 1, 2, 1, 3, 2});
    graph.add_link({1, 2, 0, 1, kNoDimension, 3, 2});
    std::ostringstream out;
    write_graph_json(out, graph);
    EXPECT_EQ(out.str(),
              "{\"topology\": \"say \\\"hi\\\"\", \"kind\": \"mesh\", \"dims\": [1, 2], \"nodes\": "
              "2, \"ports\": 3,\n \"positions\": [[0, 0], [0, 1]],\n \"links\": [\n"
              "  {\"from\": 0, \"from_port\": 1, \"to\": 1, \"to_port\": 2, \"dimension\": 1, "
              "\"length\": 3, \"delay\": 2},\n"
              "  {\"from\": 1, \"from_port\": 2, \"to\": 0, \"to_port\": 1, \"dimension\": null, "
              "\"length\": 3, \"delay\": 2}]}\n");
}

}  // namespace
}  // namespace flitscope
