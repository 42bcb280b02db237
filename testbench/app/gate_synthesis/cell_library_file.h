// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// Where cell libraries are: by name, in the folders of process design kits, or as files.
#pragma once

#include <string>
#include <vector>

namespace flitscope {

/// The place of a library.
struct CellLibraryFile {
    std::string name;     ///< "osu018", or the path that was given
    std::string liberty;  ///< absolute path of the file
    std::string origin;   ///< how to get it, "Debian 12's package ..."; empty: the user's own
    std::string process;  ///< what the file does not say: "0.18 um"
    std::string corner;   ///< operating conditions to look for in it; empty: its default
};

/// `library`: a name of known_cell_libraries(), the name of a folder in $PDK_ROOT (of open_pdks,
/// or a platform of OpenROAD-flow-scripts) or in $FLOW_HOME/platforms, of which it is the file of
/// the typical corner, or a path. `corner`: a part of the name of one file beside that file, which
/// otherwise has the same name up to there ("slow" or "slow_1p08V_125C" beside
/// sg13g2_stdcell_typ_1p20V_25C.lib); operating conditions of the file itself where there is none.
/// Throws ConfigError when it is none of these or several; a file that is known need not be there.
CellLibraryFile cell_library_file(const std::string& library, const std::string& corner = {});

/// Those that are known by name, there or not.
std::vector<CellLibraryFile> known_cell_libraries();

/// "a file in liberty format, ..., or one of ...": what can be given.
std::string cell_library_choices();

}  // namespace flitscope
