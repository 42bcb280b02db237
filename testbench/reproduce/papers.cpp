// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/reproduce/papers.h"

#include "testbench/reproduce/bokhari/bokhari.h"
#include "testbench/reproduce/boppana/boppana.h"
#include "testbench/reproduce/cheung/cheung.h"
#include "testbench/reproduce/collectives/collectives.h"
#include "testbench/reproduce/thakur/thakur.h"
#include "testbench/reproduce/ziavras/ziavras.h"

namespace flitscope::reproduce {

const std::vector<Paper>& papers() {
    static const std::vector<Paper> kPapers = {thakur(), boppana(), bokhari(),
                                               cheung(), ziavras(), collectives()};
    return kPapers;
}

}  // namespace flitscope::reproduce
