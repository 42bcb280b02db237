// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// When the requests of a closed loop begin (hw/TIMING.md, "Node programs"), by hand.
#include <gtest/gtest.h>

#include "traffic/patterns/closed_loop.h"

namespace flitscope {
namespace {

TEST(ClosedLoop, BeginsRequestsAsDrawnWhilePlacesAreFree) {
    ClosedLoop loop(2);
    EXPECT_EQ(loop.next(5), 5U);
    EXPECT_EQ(loop.next(9), 9U);
    EXPECT_FALSE(loop.waits());
}

TEST(ClosedLoop, StopsItsSourceUntilAPlaceIsFree) {
    ClosedLoop loop(1);
    loop.next(5);
    EXPECT_EQ(loop.next(9), std::nullopt);
    EXPECT_TRUE(loop.waits());
    EXPECT_EQ(loop.release(30), 30U);
    EXPECT_FALSE(loop.waits());
    // 21 cycles late: the next request, due 4 cycles after this one, is as much later.
    EXPECT_EQ(loop.next(13), std::nullopt);
    EXPECT_EQ(loop.release(32), 34U);
}

TEST(ClosedLoop, APlaceThatIsFreeLaterDelaysTheRequestThatTakesIt) {
    ClosedLoop loop(1);
    loop.next(0);
    EXPECT_EQ(loop.release(50), std::nullopt);
    EXPECT_EQ(loop.next(10), 50U);
    loop.release(55);
    EXPECT_EQ(loop.next(20), 60U);  // ten cycles after the one before
}

TEST(ClosedLoop, PlacesAreTakenInTheOrderInWhichTheyBecomeFree) {
    ClosedLoop loop(2);
    loop.next(0);
    loop.next(1);
    loop.release(40);
    loop.release(60);
    EXPECT_EQ(loop.next(2), 40U);
    EXPECT_EQ(loop.next(3), 60U);
}

}  // namespace
}  // namespace flitscope
