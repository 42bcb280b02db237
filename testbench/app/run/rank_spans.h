// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// What ranks do, for the file about a run.
#pragma once

#include "traffic/program/operation_observer.h"
#include "traffic/program/operations.h"
#include "waveforms/run_trace.h"

namespace flitscope {

/// Writes what operations do into a trace.
class RankSpans final : public OperationObserver {
public:
    /// References must outlive this.
    RankSpans(const Operations& operations, RunTrace& trace)
        : operations_(operations), trace_(trace) {}

    void on_hand_over(MessageId, Cycle) override {}
    void on_event(NodeId node, const OperationEvent& event) override {
        RankSpan span;
        span.node = node;
        span.rank = operations_.rank(node);
        const bool begins = event.kind == OperationEvent::Kind::kBegun;
        if (begins || event.kind == OperationEvent::Kind::kCompleted) {
            span.from = event.idle_since;
            span.to = event.cycle;
            if (span.from != span.to) trace_.on_span(span);
        }
        const bool is_whole = event.kind == OperationEvent::Kind::kWhole;
        if ((begins && event.until != kNever) || is_whole) {
            const Operation& operation = operations_[event.operation];
            span.from = is_whole ? event.since : event.cycle;
            span.to = event.until;
            span.stream = operation.stream;
            span.message = event.message;
            span.kind = kind_of(operation);
            if (span.from != span.to) trace_.on_span(span);
        }
    }

private:
    static RankSpan::Kind kind_of(const Operation& operation) {
        switch (operation.kind) {
            case Operation::Kind::kSend:
                return RankSpan::Kind::kSend;
            case Operation::Kind::kReceive:
                return RankSpan::Kind::kReceive;
            case Operation::Kind::kCompute:
                break;
        }
        return RankSpan::Kind::kCompute;
    }

    const Operations& operations_;
    RunTrace& trace_;
};

}  // namespace flitscope
