// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
#include "models/config/choices.h"

namespace flitscope {

std::string name_of(Switching switching) {
    switch (switching) {
        case Switching::kWormhole:
            return "wormhole";
        case Switching::kVirtualCutThrough:
            return "virtual_cut_through";
        case Switching::kStoreAndForward:
            return "store_and_forward";
        case Switching::kCircuit:
            return "circuit";
    }
    return {};
}

std::string name_of(SwitchArbitration arbitration) {
    switch (arbitration) {
        case SwitchArbitration::kRoundRobin:
            return "round_robin";
        case SwitchArbitration::kHold:
            return "hold";
    }
    return {};
}

std::string name_of(Allocation allocation) {
    switch (allocation) {
        case Allocation::kSequential:
            return "sequential";
        case Allocation::kCombined:
            return "combined";
    }
    return {};
}

std::string name_of(PortModel model) {
    switch (model) {
        case PortModel::kSingle:
            return "single";
        case PortModel::kOneOutput:
            return "one_output";
        case PortModel::kSameValue:
            return "same_value";
        case PortModel::kIndependent:
            return "independent";
    }
    return {};
}

std::string name_of(ArrivalKind arrivals) {
    switch (arrivals) {
        case ArrivalKind::kBernoulli:
            return "bernoulli";
        case ArrivalKind::kPeriodic:
            return "periodic";
        case ArrivalKind::kBursty:
            return "bursty";
    }
    return {};
}

std::string name_of(TraceFormat format) {
    switch (format) {
        case TraceFormat::kGoal:
            return "goal";
        case TraceFormat::kCsv:
            return "csv";
        case TraceFormat::kChakra:
            return "chakra";
    }
    return {};
}

std::string name_of(RankPlacement placement) {
    switch (placement) {
        case RankPlacement::kLinear:
            return "linear";
        case RankPlacement::kRandom:
            return "random";
        case RankPlacement::kFile:
            return "file";
        case RankPlacement::kVolume:
            return "volume";
    }
    return {};
}

std::string name_of(RouterKind router) {
    switch (router) {
        case RouterKind::kSystemC:
            return "systemc";
        case RouterKind::kRtl:
            return "rtl";
    }
    return {};
}

std::string name_of(RtlProtocol protocol) {
    switch (protocol) {
        case RtlProtocol::kFlit:
            return "flit";
        case RtlProtocol::kValidReady:
            return "valid_ready";
    }
    return {};
}

std::string name_of(ExpressLayout layout) {
    switch (layout) {
        case ExpressLayout::kFull:
            return "full";
        case ExpressLayout::kSparse:
            return "sparse";
        case ExpressLayout::kShifted:
            return "shifted";
        case ExpressLayout::kCompound:
            return "compound";
        case ExpressLayout::kHierarchy:
            return "hierarchy";
    }
    return {};
}

std::string name_of(LinkDelayModel model) {
    switch (model) {
        case LinkDelayModel::kConstant:
            return "constant";
        case LinkDelayModel::kLinear:
            return "linear";
        case LinkDelayModel::kPhysical:
            return "physical";
    }
    return {};
}

}  // namespace flitscope
