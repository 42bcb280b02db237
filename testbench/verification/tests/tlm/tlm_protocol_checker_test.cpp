// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The protocol checker finds every rule that is broken on purpose, and nothing if none is.
#include "testbench/verification/tests/tlm/tlm_protocol_checker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "testbench/app/run/fresh_kernel.h"
#include "testbench/verification/tests/tlm/tlm_platform.h"

namespace flitscope {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using tlm::BEGIN_REQ;
using tlm::BEGIN_RESP;
using tlm::END_REQ;
using tlm::END_RESP;
using tlm::TLM_ACCEPTED;
using tlm::TLM_COMPLETED;
using tlm::TLM_UPDATED;

using Violations = std::vector<std::string>;

/// An answer of either side.
using Transport = std::function<tlm::tlm_sync_enum(Payload&, tlm::tlm_phase&, sc_core::sc_time&)>;

/// Initiator and target in one, which follow a script.
class TwoSides final : public sc_core::sc_module,
                       public tlm::tlm_fw_transport_if<>,
                       public tlm::tlm_bw_transport_if<> {
public:
    tlm::tlm_initiator_socket<> initiator{"initiator"};
    tlm::tlm_target_socket<> target{"target"};
    TlmProtocolChecker checker{"checker"};

    std::function<void()> script;
    Transport forward = [](Payload&, tlm::tlm_phase&, sc_core::sc_time&) { return TLM_ACCEPTED; };
    Transport backward = [](Payload&, tlm::tlm_phase&, sc_core::sc_time&) { return TLM_ACCEPTED; };
    std::function<void(Payload&, sc_core::sc_time&)> blocking = [](Payload& p, sc_core::sc_time&) {
        p.set_response_status(tlm::TLM_OK_RESPONSE);
    };
    std::function<bool(tlm::tlm_dmi&)> dmi = [](tlm::tlm_dmi&) { return false; };
    unsigned int debug_bytes = 0;

    SC_HAS_PROCESS(TwoSides);
    explicit TwoSides(sc_core::sc_module_name name, bool in_method = false) : sc_module(name) {
        initiator.bind(*this);
        target.bind(*this);
        initiator.bind(checker.from_initiator);
        checker.to_target.bind(target);
        if (in_method) {
            SC_METHOD(play);
        } else {
            SC_THREAD(play);
        }
    }

    tlm::tlm_sync_enum call(Payload& payload, tlm::tlm_phase phase, double delay_ns = 0) {
        sc_core::sc_time delay = ns(delay_ns);
        return initiator->nb_transport_fw(payload, phase, delay);
    }
    tlm::tlm_sync_enum answer(Payload& payload, tlm::tlm_phase phase, double delay_ns = 0) {
        sc_core::sc_time delay = ns(delay_ns);
        if (phase == BEGIN_RESP) payload.set_response_status(tlm::TLM_OK_RESPONSE);
        return target->nb_transport_bw(payload, phase, delay);
    }
    void transport(Payload& payload) {
        sc_core::sc_time delay;
        initiator->b_transport(payload, delay);
    }

    tlm::tlm_sync_enum nb_transport_fw(Payload& p, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override {
        return forward(p, phase, delay);
    }
    tlm::tlm_sync_enum nb_transport_bw(Payload& p, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override {
        return backward(p, phase, delay);
    }
    void b_transport(Payload& p, sc_core::sc_time& delay) override { blocking(p, delay); }
    bool get_direct_mem_ptr(Payload&, tlm::tlm_dmi& data) override { return dmi(data); }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
    unsigned int transport_dbg(Payload&) override { return debug_bytes; }

private:
    void play() { script(); }
};

struct Bench {
    TwoSides& sides;
    PayloadPool& pool;

    Payload& read() { return pool.get(tlm::TLM_READ_COMMAND, 0x100, 8); }
    Payload& write() { return pool.get(tlm::TLM_WRITE_COMMAND, 0x100, 8); }
};

Violations violations_of(const std::function<void(Bench&)>& script, bool in_method = false) {
    const FreshKernel kernel;
    PayloadPool pool;
    Violations found;
    {
        TwoSides sides("sides", in_method);
        Bench bench{sides, pool};
        bool played = false;
        sides.script = [&] {
            script(bench);
            played = true;
        };
        sc_core::sc_start();
        EXPECT_TRUE(played);
        found = sides.checker.violations();
    }
    return found;
}

void four_phases(Bench& b, Payload& p) {
    b.sides.call(p, BEGIN_REQ);
    b.sides.answer(p, END_REQ);
    b.sides.answer(p, BEGIN_RESP);
    b.sides.call(p, END_RESP);
}

TEST(TlmProtocolChecker, AcceptsEveryLegalSequence) {
    EXPECT_THAT(violations_of([](Bench& b) {
                    Payload& p = b.read();
                    four_phases(b, p);
                    p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
                    four_phases(b, p);  // the same object again
                    Payload& q = b.write();
                    b.sides.call(q, BEGIN_REQ, 3);
                    b.sides.answer(q, BEGIN_RESP, 5);  // implies END_REQ
                    b.sides.call(q, END_RESP, 5);
                    Payload& r = b.read();
                    b.sides.transport(r);
                    EXPECT_EQ(b.sides.checker.ended(), 4U);
                    EXPECT_EQ(b.sides.checker.under_way(), 0U);
                }),
                ElementsAre());
}

TEST(TlmProtocolChecker, AcceptsAnswersOnTheReturnPath) {
    EXPECT_THAT(violations_of([](Bench& b) {
                    Payload& p = b.read();
                    b.sides.forward = [](Payload& x, tlm::tlm_phase& phase, sc_core::sc_time& t) {
                        if (phase == END_RESP) return TLM_COMPLETED;
                        phase = BEGIN_RESP;
                        t += ns(2);
                        x.set_response_status(tlm::TLM_OK_RESPONSE);
                        return TLM_UPDATED;
                    };
                    b.sides.call(p, BEGIN_REQ, 1);
                    b.sides.call(p, END_RESP, 3);
                    b.sides.forward = [](Payload&, tlm::tlm_phase& phase, sc_core::sc_time&) {
                        phase = END_REQ;
                        return TLM_UPDATED;
                    };
                    b.sides.backward = [](Payload&, tlm::tlm_phase& phase, sc_core::sc_time&) {
                        phase = END_RESP;
                        return TLM_UPDATED;
                    };
                    Payload& q = b.read();
                    b.sides.call(q, BEGIN_REQ);
                    b.sides.answer(q, BEGIN_RESP);
                    b.sides.backward = [](Payload&, tlm::tlm_phase&, sc_core::sc_time&) {
                        return TLM_COMPLETED;
                    };
                    Payload& r = b.read();
                    b.sides.call(r, BEGIN_REQ);
                    b.sides.answer(r, BEGIN_RESP);
                    b.sides.forward = [](Payload& x, tlm::tlm_phase&, sc_core::sc_time&) {
                        x.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
                        return TLM_COMPLETED;
                    };
                    Payload& s = b.read();
                    b.sides.call(s, BEGIN_REQ);
                    EXPECT_EQ(b.sides.checker.ended(), 4U);
                }),
                ElementsAre());
}

TEST(TlmProtocolChecker, FindsPhasesOutOfOrder) {
    const auto phases = [](const std::function<void(TwoSides&, Payload&)>& script) {
        return violations_of([&](Bench& b) { script(b.sides, b.read()); });
    };
    EXPECT_THAT(phases([](TwoSides& s, Payload& p) { s.call(p, END_RESP); }),
                ElementsAre("END_RESP of a transaction that has not begun"));
    EXPECT_THAT(phases([](TwoSides& s, Payload& p) { s.answer(p, END_REQ); }),
                ElementsAre("END_REQ of a transaction that has not begun"));
    EXPECT_THAT(phases([](TwoSides& s, Payload& p) {
                    s.call(p, BEGIN_REQ);
                    s.call(p, END_RESP);
                }),
                ElementsAre("END_RESP after BEGIN_REQ"));
    EXPECT_THAT(phases([](TwoSides& s, Payload& p) {
                    s.call(p, BEGIN_REQ);
                    s.answer(p, END_REQ);
                    s.answer(p, END_REQ);
                }),
                ElementsAre("END_REQ after END_REQ"));
    EXPECT_THAT(phases([](TwoSides& s, Payload& p) {
                    s.call(p, BEGIN_REQ);
                    s.answer(p, BEGIN_RESP);
                    s.answer(p, END_REQ);
                }),
                ElementsAre("END_REQ after BEGIN_RESP"));
    EXPECT_THAT(phases([](TwoSides& s, Payload& p) { s.call(p, END_REQ); }),
                ElementsAre("END_REQ on the forward path"));
    EXPECT_THAT(phases([](TwoSides& s, Payload& p) { s.answer(p, END_RESP); }),
                ElementsAre("END_RESP on the backward path"));
}

TEST(TlmProtocolChecker, FindsAnswersThatAreNone) {
    EXPECT_THAT(violations_of([](Bench& b) {
                    b.sides.forward = [](Payload&, tlm::tlm_phase& phase, sc_core::sc_time&) {
                        phase = END_RESP;
                        return TLM_UPDATED;
                    };
                    b.sides.call(b.read(), BEGIN_REQ);
                }),
                ElementsAre("END_RESP in answer to BEGIN_REQ"));
    EXPECT_THAT(violations_of([](Bench& b) {
                    b.sides.backward = [](Payload&, tlm::tlm_phase&, sc_core::sc_time&) {
                        return TLM_COMPLETED;
                    };
                    Payload& p = b.read();
                    b.sides.call(p, BEGIN_REQ);
                    b.sides.answer(p, END_REQ);
                }),
                ElementsAre("END_REQ answered with more than TLM_ACCEPTED"));
    EXPECT_THAT(violations_of([](Bench& b) {
                    b.sides.backward = [](Payload&, tlm::tlm_phase& phase, sc_core::sc_time&) {
                        phase = END_REQ;
                        return TLM_UPDATED;
                    };
                    Payload& p = b.read();
                    b.sides.call(p, BEGIN_REQ);
                    b.sides.answer(p, BEGIN_RESP);
                }),
                ElementsAre("END_REQ in answer to BEGIN_RESP"));
    EXPECT_THAT(violations_of([](Bench& b) {
                    Payload& p = b.read();
                    b.sides.call(p, BEGIN_REQ);
                    b.sides.answer(p, BEGIN_RESP);
                    b.sides.forward = [](Payload&, tlm::tlm_phase&, sc_core::sc_time&) {
                        return TLM_UPDATED;
                    };
                    b.sides.call(p, END_RESP);
                }),
                ElementsAre("END_RESP in answer to END_RESP"));
    EXPECT_THAT(violations_of([](Bench& b) {
                    b.sides.forward = [](Payload&, tlm::tlm_phase& phase, sc_core::sc_time& t) {
                        phase = END_REQ;
                        t += ns(1);
                        return TLM_ACCEPTED;
                    };
                    b.sides.call(b.read(), BEGIN_REQ);
                }),
                ElementsAre("TLM_ACCEPTED with another phase", "TLM_ACCEPTED with another delay"));
}

TEST(TlmProtocolChecker, FindsTwoRequestsOrResponsesAtATime) {
    EXPECT_THAT(violations_of([](Bench& b) {
                    b.sides.call(b.read(), BEGIN_REQ);
                    b.sides.call(b.read(), BEGIN_REQ);
                }),
                ElementsAre("BEGIN_REQ while another request is in progress"));
    EXPECT_THAT(violations_of([](Bench& b) {
                    Payload& p = b.read();
                    Payload& q = b.read();
                    b.sides.call(p, BEGIN_REQ);
                    b.sides.answer(p, END_REQ);
                    b.sides.call(q, BEGIN_REQ);
                    b.sides.answer(q, BEGIN_RESP);
                    b.sides.answer(p, BEGIN_RESP);
                }),
                ElementsAre("BEGIN_RESP while another response is in progress"));
    EXPECT_THAT(violations_of([](Bench& b) {
                    Payload& p = b.read();
                    b.sides.call(p, BEGIN_REQ);
                    b.sides.answer(p, END_REQ);
                    b.sides.call(p, BEGIN_REQ);
                }),
                ElementsAre("BEGIN_REQ of a transaction between phases"));
}

TEST(TlmProtocolChecker, FindsTimesThatGoBack) {
    EXPECT_THAT(violations_of([](Bench& b) {
                    Payload& p = b.read();
                    b.sides.call(p, BEGIN_REQ, 5);
                    b.sides.answer(p, END_REQ, 4);
                }),
                ElementsAre("time of a transaction goes back"));
    EXPECT_THAT(violations_of([](Bench& b) {
                    b.sides.blocking = [](Payload& p, sc_core::sc_time& delay) {
                        p.set_response_status(tlm::TLM_OK_RESPONSE);
                        delay = sc_core::SC_ZERO_TIME;
                    };
                    sc_core::sc_time delay = ns(5);
                    b.sides.initiator->b_transport(b.read(), delay);
                }),
                ElementsAre("time of a transaction goes back"));
}

TEST(TlmProtocolChecker, FindsResponsesWithoutAStatus) {
    EXPECT_THAT(violations_of([](Bench& b) {
                    b.sides.blocking = [](Payload&, sc_core::sc_time&) {};
                    b.sides.transport(b.read());
                }),
                ElementsAre("response with status TLM_INCOMPLETE_RESPONSE"));
    EXPECT_THAT(violations_of([](Bench& b) {
                    b.sides.forward = [](Payload&, tlm::tlm_phase&, sc_core::sc_time&) {
                        return TLM_COMPLETED;
                    };
                    b.sides.call(b.read(), BEGIN_REQ);
                }),
                ElementsAre("response with status TLM_INCOMPLETE_RESPONSE"));
    EXPECT_THAT(violations_of([](Bench& b) {
                    Payload& p = b.read();
                    b.sides.call(p, BEGIN_REQ);
                    tlm::tlm_phase phase = BEGIN_RESP;
                    sc_core::sc_time delay;
                    b.sides.target->nb_transport_bw(p, phase, delay);
                }),
                ElementsAre("response with status TLM_INCOMPLETE_RESPONSE"));
}

struct Spoil {
    std::string violation;
    std::function<void(Payload&)> spoil;
};

TEST(TlmProtocolChecker, FindsTransactionsThatBeginWrong) {
    static unsigned char enable = TLM_BYTE_ENABLED;
    const std::vector<Spoil> spoils = {
        {"response status is not TLM_INCOMPLETE_RESPONSE",
         [](Payload& p) { p.set_response_status(tlm::TLM_OK_RESPONSE); }},
        {"DMI hint is set", [](Payload& p) { p.set_dmi_allowed(true); }},
        {"no data pointer", [](Payload& p) { p.set_data_ptr(nullptr); }},
        {"data length 0", [](Payload& p) { p.set_data_length(0); }},
        {"streaming width 0", [](Payload& p) { p.set_streaming_width(0); }},
        {"byte enable length 0", [](Payload& p) { p.set_byte_enable_ptr(&enable); }},
        {"option is not TLM_MIN_PAYLOAD",
         [](Payload& p) { p.set_gp_option(tlm::TLM_FULL_PAYLOAD); }},
    };
    for (const Spoil& spoil : spoils) {
        EXPECT_THAT(violations_of([&](Bench& b) {
                        Payload& p = b.read();
                        spoil.spoil(p);
                        b.sides.call(p, BEGIN_REQ);
                    }),
                    ElementsAre("BEGIN_REQ: " + spoil.violation));
        EXPECT_THAT(violations_of([&](Bench& b) {
                        Payload& p = b.read();
                        spoil.spoil(p);
                        b.sides.transport(p);
                    }),
                    ElementsAre("b_transport: " + spoil.violation));
    }
}

TEST(TlmProtocolChecker, FindsEveryAttributeThatIsChanged) {
    static unsigned char other[16];
    static unsigned char enables[2] = {TLM_BYTE_ENABLED, TLM_BYTE_ENABLED};
    static Tag tag;
    const std::vector<Spoil> spoils = {
        {"command", [](Payload& p) { p.set_read(); }},
        {"address", [](Payload& p) { p.set_address(0); }},
        {"data pointer", [](Payload& p) { p.set_data_ptr(other); }},
        {"data length", [](Payload& p) { p.set_data_length(4); }},
        {"byte enable pointer", [](Payload& p) { p.set_byte_enable_ptr(other); }},
        {"byte enable length", [](Payload& p) { p.set_byte_enable_length(1); }},
        {"streaming width", [](Payload& p) { p.set_streaming_width(4); }},
        {"data of a write", [](Payload& p) { p.get_data_ptr()[7] ^= 1; }},
        {"byte enables", [](Payload& p) { p.get_byte_enable_ptr()[1] = TLM_BYTE_DISABLED; }},
        {"extension of the initiator", [](Payload& p) { p.clear_extension<Tag>(); }},
    };
    for (const Spoil& spoil : spoils) {
        enables[1] = TLM_BYTE_ENABLED;
        const auto begin = [](Bench& b) -> Payload& {
            Payload& p = b.write();
            p.set_byte_enable_ptr(enables);
            p.set_byte_enable_length(2);
            p.set_extension(&tag);
            return p;
        };
        EXPECT_THAT(violations_of([&](Bench& b) {
                        Payload& p = begin(b);
                        b.sides.call(p, BEGIN_REQ);
                        spoil.spoil(p);
                        b.sides.answer(p, END_REQ);
                        p.clear_extension<Tag>();
                    }),
                    ElementsAre(spoil.violation + " changed"));
        enables[1] = TLM_BYTE_ENABLED;
        EXPECT_THAT(violations_of([&](Bench& b) {
                        b.sides.blocking = [&](Payload& p, sc_core::sc_time&) {
                            p.set_response_status(tlm::TLM_OK_RESPONSE);
                            spoil.spoil(p);
                        };
                        Payload& p = begin(b);
                        b.sides.transport(p);
                        p.clear_extension<Tag>();
                    }),
                    ElementsAre(spoil.violation + " changed"));
    }
}

TEST(TlmProtocolChecker, FindsMemoryThatIsNotManaged) {
    EXPECT_THAT(violations_of([](Bench& b) {
                    Payload& p = b.read();
                    p.set_mm(nullptr);
                    b.sides.call(p, BEGIN_REQ);
                }),
                ElementsAre("nb_transport_fw without a memory manager"));
    EXPECT_THAT(violations_of([](Bench& b) {
                    Payload& p = b.read();
                    b.sides.call(p, BEGIN_REQ);
                    p.release();
                    p.set_data_ptr(nullptr);  // as the pool left it
                    b.sides.answer(p, END_REQ);
                }),
                Contains("nb_transport_bw: reference count 0"));
    EXPECT_THAT(violations_of([](Bench& b) {
                    Payload& p = b.read();
                    b.sides.call(p, BEGIN_REQ);
                    p.set_mm(nullptr);
                    b.sides.answer(p, END_REQ);
                }),
                ElementsAre("nb_transport_bw without a memory manager", "memory manager changed"));
}

TEST(TlmProtocolChecker, FindsExtensionsThatAreLeftBehind) {
    EXPECT_THAT(violations_of([](Bench& b) {
                    unsigned char data = 0;
                    Payload p;
                    p.set_read();
                    p.set_data_ptr(&data);
                    p.set_data_length(1);
                    p.set_streaming_width(1);
                    b.sides.blocking = [](Payload& x, sc_core::sc_time&) {
                        x.set_response_status(tlm::TLM_OK_RESPONSE);
                        x.set_extension(new Tag);
                    };
                    b.sides.transport(p);
                    p.free_all_extensions();
                }),
                ElementsAre("extension left behind in a transaction without a memory manager"));
}

TEST(TlmProtocolChecker, FindsTransactionsThatAreUsedTwice) {
    EXPECT_THAT(violations_of([](Bench& b) {
                    Payload& p = b.read();
                    bool again = false;
                    b.sides.blocking = [&](Payload& x, sc_core::sc_time&) {
                        if (!again) {
                            again = true;
                            b.sides.transport(x);
                        }
                        x.set_response_status(tlm::TLM_OK_RESPONSE);
                    };
                    b.sides.transport(p);
                }),
                ElementsAre("b_transport of a transaction that is in b_transport"));
    EXPECT_THAT(violations_of([](Bench& b) {
                    Payload& p = b.read();
                    b.sides.call(p, BEGIN_REQ);
                    b.sides.transport(p);
                }),
                ElementsAre("b_transport of a transaction between phases"));
    EXPECT_THAT(violations_of([](Bench& b) {
                    b.sides.blocking = [&](Payload& x, sc_core::sc_time&) {
                        b.sides.call(x, BEGIN_REQ);
                        x.set_response_status(tlm::TLM_OK_RESPONSE);
                    };
                    b.sides.transport(b.read());
                }),
                ElementsAre("BEGIN_REQ of a transaction that is in b_transport"));
}

TEST(TlmProtocolChecker, FindsBlockingTransportThatCannotBlock) {
    EXPECT_THAT(violations_of([](Bench& b) { b.sides.transport(b.read()); }, true),
                ElementsAre("b_transport from a method process"));
    EXPECT_THAT(violations_of([](Bench& b) {
                    Payload& p = b.read();
                    p.release();
                    p.set_command(tlm::TLM_IGNORE_COMMAND);
                    b.sides.transport(p);
                }),
                ElementsAre("b_transport: reference count 0"));
}

TEST(TlmProtocolChecker, FindsWrongAnswersAboutMemory) {
    const auto answer = [](const std::function<bool(tlm::tlm_dmi&)>& dmi) {
        return violations_of([&](Bench& b) {
            b.sides.dmi = dmi;
            tlm::tlm_dmi data;
            b.sides.initiator->get_direct_mem_ptr(b.read(), data);
        });
    };
    EXPECT_THAT(answer([](tlm::tlm_dmi& d) {
                    d.allow_read_write();
                    return false;
                }),
                ElementsAre());
    EXPECT_THAT(answer([](tlm::tlm_dmi&) { return false; }),
                ElementsAre("get_direct_mem_ptr names no access"));
    EXPECT_THAT(answer([](tlm::tlm_dmi& d) {
                    d.allow_read();
                    d.set_end_address(0xff);
                    return false;
                }),
                ElementsAre("get_direct_mem_ptr answers for a region without the address"));
    EXPECT_THAT(answer([](tlm::tlm_dmi& d) {
                    d.allow_read();
                    return true;
                }),
                ElementsAre("get_direct_mem_ptr grants no pointer"));
    EXPECT_THAT(violations_of([](Bench& b) {
                    b.sides.debug_bytes = 8;
                    b.sides.initiator->transport_dbg(b.read());
                    b.sides.debug_bytes = 9;
                    b.sides.initiator->transport_dbg(b.read());
                    b.sides.target->invalidate_direct_mem_ptr(1, 0);
                }),
                ElementsAre("transport_dbg moves more bytes than asked for",
                            "invalidate_direct_mem_ptr ends before it begins"));
}

}  // namespace
}  // namespace flitscope
