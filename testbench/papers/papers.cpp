// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "testbench/papers/papers.h"

#include "testbench/papers/bokhari/bokhari.h"
#include "testbench/papers/boppana/boppana.h"
#include "testbench/papers/cheung/cheung.h"
#include "testbench/papers/collectives/collectives.h"
#include "testbench/papers/thakur/thakur.h"
#include "testbench/papers/ziavras/ziavras.h"

namespace flitscope::reproduce {

const std::vector<Paper>& papers() {
    static const std::vector<Paper> kPapers = {thakur(), boppana(), bokhari(),
                                               cheung(), ziavras(), collectives()};
    return kPapers;
}

}  // namespace flitscope::reproduce
