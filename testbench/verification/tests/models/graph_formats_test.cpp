// SPDX-FileCopyrightText: 2026 The flitscope authors
// SPDX-License-Identifier: Apache-2.0
//
// The other formats of graphs, CSV, GraphML and DOT: the contents read, the places of findings, and
// texts that are broken on purpose.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "models/topology/graph.h"
#include "testbench/verification/tests/models/graph_files.h"

namespace flitscope {
namespace {

TEST(GraphFormats, ReadsCsv) {
    const Graph graph = load("links.csv",
                             "\xef\xbb\xbf# A ring with a shortcut.\r\n# nodes: 3\r\n\r\n"
                             "to,from,both,delay,\"length\"\r\n"
                             "1,0,,,\r\n2, 1,,4,\r\n0,2,,,6\r\n2,0,false,,\r\n");
    EXPECT_THAT(links_of(graph),
                testing::ElementsAre("0.1->1.1 length 1 delay 1", "1.2->2.1 length 1 delay 4",
                                     "2.2->0.2 length 6 delay 1", "0.2->2.2 length 1 delay 1"));
    EXPECT_EQ(
        load("links.csv", "from,to,both\n0,1,true\n1,4,true\n4,3,true\n3,2,true\n").router_count(),
        5U);
    EXPECT_EQ(load("links.csv", "from,to,from_port,to_port\n0,1,4,1\n1,0,1,4\n").port_count(), 5U);
    EXPECT_EQ(load("links.csv", "# nodes: 1\nfrom,to").router_count(), 1U);
}

TEST(GraphFormats, ReportsFindingsInCsvWithTheirPlace) {
    const auto with = [](const std::string& text) { return findings("links.csv", text); };
    EXPECT_THAT(with("from,to,lenght,from\n0,1,1,0\n"),
                testing::ElementsAre("1:9 unknown column 'lenght' (did you mean 'length'?)",
                                     "1:16 column from occurs twice"));
    EXPECT_THAT(with("source,to\n0,1\n"),
                testing::ElementsAre(
                    "1:1 unknown column 'source' (columns here: from, to, length, delay, rate, "
                    "width, from_port, to_port, both, count)",
                    "1:1 column from is missing (begin with a line such as: "
                    "from,to,length,delay,both)"));
    EXPECT_THAT(
        with("# nodes: 2\nfrom,to,delay,both\n0,2,,\n,1,,\n0,1,soon,\n0,1,,maybe\n0,1\n"
             "1,1,,\n0,1,,true\n1,0,,\n"),
        testing::ElementsAre("3:3 'to' must be an integer from 0 to 1, found '2'",
                             "4:1 'from' must be an integer from 0 to 1, found nothing",
                             "5:5 'delay' must be an integer from 1 to 1048576, found 'soon'",
                             "6:6 'both' must be true or false, found 'maybe'",
                             "7:1 2 values for 4 columns", "8:1 link from node 1 to itself"));
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
                testing::ElementsAre("2:1 the number of nodes is given below the header (write it "
                                     "above)"));
    EXPECT_THAT(with("from,to\n"), testing::ElementsAre("1:1 the graph has no nodes"));
    EXPECT_THAT(with("# only a comment\n"),
                testing::ElementsAre("0:0 the graph file has no header (begin with a line such "
                                     "as: from,to,length,delay,both)"));
    EXPECT_THAT(with(" \n"), testing::ElementsAre("0:0 the graph file is empty"));
}

TEST(GraphFormats, CountsTheFindingsThatItDoesNotShow) {
    std::string text = "from,to\n";
    for (int i = 0; i < 73; ++i) text += "5,5\n";
    const std::vector<std::string> found = findings("links.csv", text);
    ASSERT_EQ(found.size(), 51U);
    EXPECT_EQ(found[49], "51:1 link from node 5 to itself");
    EXPECT_EQ(found[50], "52:1 23 more of these");
}

TEST(GraphFormats, RefusesMorePortsThanATableHolds) {
    std::string text = "from,to,both\n";
    for (int leaf = 1; leaf < 65536; ++leaf) text += "0," + std::to_string(leaf) + ",true\n";
    EXPECT_THAT(findings("star.csv", text),
                testing::ElementsAre("1:1 65536 nodes with ports up to 65535 are too many ports "
                                     "(nodes times ports of the largest router may be 67108864)"));
}

TEST(GraphFormats, ReadsGraphml) {
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
    EXPECT_EQ(graph.position(RouterId(2)).row, 7U);
    const Graph numbered =
        load("g.xml",
             "<graphml><graph edgedefault='undirected'><node id='1'/><node id='2'/>"
             "<node id='0'/><edge source='2' target='1'/><edge source='1' target='0'/>"
             "</graph></graphml>");
    EXPECT_EQ(numbered.link(0).from, RouterId(2));
    EXPECT_EQ(numbered.link(2).to, RouterId(0));
}

TEST(GraphFormats, ReadsGraphmlWithAKeyForEveryNode) {
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
    EXPECT_EQ(graph.link(2).delay, 999U % 7 + 1);  // delay of k999, the last id of all
}

TEST(GraphFormats, ReportsFindingsInGraphmlWithTheirPlace) {
    const auto with = [](const std::string& inside) {
        return findings("g.graphml", "<graphml>\n" + inside + "\n</graphml>\n");
    };
    EXPECT_THAT(with("<key id='k' for='edge' attr.name='dealy'/><graph/>"),
                testing::ElementsAre("2:1 unknown attribute 'dealy' (did you mean 'delay'?)"));
    EXPECT_THAT(with("<key id='k' for='node' attr.name='x'/><graph/>"),
                testing::ElementsAre("2:1 unknown attribute 'x' (attributes here: row, column, "
                                     "endpoint, at, nodes)"));
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
                                     "8:1 no node 'c'", "9:1 link from node 'a' to itself"));
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

TEST(GraphFormats, ReadsDot) {
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

TEST(GraphFormats, NumbersSwitchesBehindTheOthersAndKeepsTheirNames) {
    const Graph dot = load("switches.dot",
                           "graph { node [endpoint=false]; x0; x1; node [endpoint=true]\n"
                           "x0 -- {cpu0 \"cpu-1\"}; x1 -- {cpu0 mem}; mem [endpoint=true] }");
    EXPECT_EQ(dot.node_count(), 3U);
    EXPECT_THAT(dot.given_names(), testing::ElementsAre("cpu0", "cpu-1", "mem", "x0", "x1"));
    EXPECT_THAT(dot.given_node_names(), testing::ElementsAre("cpu0", "cpu-1", "mem"));
    const Graph graphml =
        load("switches.graphml",
             "<graphml><key id='e' for='node' attr.name='endpoint'><default>true</default></key>"
             "<graph edgedefault='undirected'>"
             "<node id='x0'><data key='e'>false</data></node>"
             "<node id='x1'><data key='e'>false</data></node>"
             "<node id='cpu0'/><node id='cpu-1'/><node id='mem'><data key='e'>true</data></node>"
             "<edge source='x0' target='cpu0'/><edge source='x0' target='cpu-1'/>"
             "<edge source='x1' target='cpu0'/><edge source='x1' target='mem'/></graph></graphml>");
    EXPECT_EQ(graphml.node_count(), 3U);
    EXPECT_EQ(graphml.given_names(), dot.given_names());
    EXPECT_EQ(links_of(graphml), links_of(dot));
    const Graph yaml = load("switches.yaml",
                            "nodes: 5\nendpoints: 3\nlinks: [{from: 3, to: 0, both: true}, "
                            "{from: 3, to: 1, both: true}, {from: 4, to: 0, both: true}, "
                            "{from: 4, to: 2, both: true}]\n");
    EXPECT_EQ(links_of(yaml), links_of(dot));
    // Numbers stay what they are.
    const Graph numbers = load("numbers.dot", "graph { 2 [endpoint=false]; 2 -- {1 0} }");
    EXPECT_EQ(numbers.node_count(), 2U);
    EXPECT_THAT(numbers.given_names(), testing::IsEmpty());
    EXPECT_EQ(numbers.link(0).from, RouterId(2));
}

std::vector<std::uint32_t> routers_of_nodes(const Graph& graph) {
    std::vector<std::uint32_t> routers;
    for (NodeId node = 0; node < graph.node_count(); ++node) {
        routers.push_back(graph.router_of(node));
    }
    return routers;
}

/// A line of three routers, with two nodes on the first and one on the last, or two on each.
TEST(GraphFormats, HangAnyNumberOfNodesOnARouter) {
    const std::string links =
        "links: [{from: 0, to: 1, both: true}, {from: 1, to: 2, both: true}]\n";
    const Graph yaml = load("at.yaml", "routers: 3\nat: [2, 0, 0]\n" + links);
    EXPECT_THAT(routers_of_nodes(yaml), testing::ElementsAre(2, 0, 0));
    EXPECT_EQ(yaml.router_count(), 3U);
    EXPECT_EQ(yaml.local_ports(), 2U);
    EXPECT_THAT(links_of(yaml),
                testing::ElementsAre("0.2->1.2 length 1 delay 1", "1.2->0.2 length 1 delay 1",
                                     "1.3->2.2 length 1 delay 1", "2.2->1.3 length 1 delay 1"));
    for (const Graph& graph :
         {load("each.yaml", "routers: 3\nnodes_per_router: 2\n" + links),
          load("each.csv", "# nodes: 6\n# nodes_per_router: 2\nfrom,to,both\n0,1,true\n1,2,true\n"),
          load("each.csv", "# nodes_per_router: 2\nfrom,to,both\n0,1,true\n1,2,true\n"),
          load("each.dot", "graph { node [nodes=2]; a -- b -- c }"),
          load("each.dot", "graph { node [nodes=2]; 2; 0 -- 1 -- 2 }")}) {
        EXPECT_THAT(routers_of_nodes(graph), testing::ElementsAre(0, 0, 1, 1, 2, 2));
        EXPECT_EQ(links_of(graph), links_of(yaml));
        const std::size_t named = graph.given_names().empty() ? 0 : graph.node_count();
        EXPECT_EQ(graph.given_node_names().size(), named);
    }
}

/// Nodes without names come first, router by router, then those with names.
TEST(GraphFormats, NamesNodesApartFromTheirRouters) {
    const Graph dot = load("soc.dot",
                           "graph { io [at=r1]; r0 -- r1 -- r2; r0 [nodes=2]; r2 [nodes=1]; "
                           "mem [at=r0] }");
    const Graph graphml = load(
        "soc.graphml",
        "<graphml><key id='a' for='node' attr.name='at'/><key id='n' for='node' attr.name='nodes'/>"
        "<graph edgedefault='undirected'><node id='io'><data key='a'>r1</data></node>"
        "<node id='r0'><data key='n'>2</data></node><node id='r1'/>"
        "<node id='r2'><data key='n'>1</data></node><node id='mem'><data key='a'>r0</data></node>"
        "<edge source='r0' target='r1'/><edge source='r1' target='r2'/></graph></graphml>");
    for (const Graph* graph : {&dot, &graphml}) {
        EXPECT_THAT(routers_of_nodes(*graph), testing::ElementsAre(0, 0, 2, 1, 0));
        EXPECT_THAT(graph->given_names(), testing::ElementsAre("r0", "r1", "r2"));
        EXPECT_THAT(graph->given_node_names(), testing::ElementsAre("0", "1", "2", "io", "mem"));
        EXPECT_EQ(graph->local_ports(), 3U);
        EXPECT_EQ(graph->link_count(), 4U);
    }
}

TEST(GraphFormats, RefusesNodesThatHangOnNoRouter) {
    using testing::ElementsAre;
    using testing::HasSubstr;
    const auto dot = [](const std::string& text) { return findings("s.dot", text); };
    EXPECT_THAT(dot("graph { r0 -- r1; mem [at=r9] }"),
                ElementsAre(HasSubstr("node 'mem' is at 'r9', and no router has that name")));
    EXPECT_THAT(dot("graph { r0 -- r1; mem [at=r0]; io [at=mem] }"),
                ElementsAre(HasSubstr("node 'io' is at 'mem', which is a node, too")));
    EXPECT_THAT(dot("graph { r0 -- r1; mem [at=r0]; mem -- r1 }"),
                ElementsAre(HasSubstr("a link of 'mem', which is a node because it has 'at'")));
    EXPECT_THAT(dot("graph { r0 -- r1; r0 [nodes=2, endpoint=true] }"),
                ElementsAre(HasSubstr("router 'r0' has both 'nodes' and 'endpoint'")));
    EXPECT_THAT(dot("graph { node [nodes=0]; r0 -- r1 }"),
                ElementsAre(HasSubstr("all nodes are switches")));
    const std::string links = "links: [{from: 0, to: 1, both: true}]\n";
    const auto yaml = [&](const std::string& text) { return findings("s.yaml", text + links); };
    EXPECT_THAT(yaml("routers: 2\nnodes: 4\n"),
                ElementsAre(HasSubstr("2:1 'nodes' contradicts 'routers'")));
    EXPECT_THAT(yaml("nodes: 2\nat: [0, 1]\n"),
                ElementsAre(HasSubstr("2:1 'at' is for a graph of 'routers'")));
    EXPECT_THAT(yaml("routers: 2\nat: [0, 2]\n"),
                ElementsAre(HasSubstr("'at[1]' must be an integer from 0 to 1, found '2'")));
    EXPECT_THAT(findings("s.yaml",
                         "routers: 2\nnodes_per_router: 2\nlinks: [{from: 0, to: 1, from_port: 1, "
                         "to_port: 2, both: true}]\n"),
                ElementsAre(HasSubstr("port 1 of router 0 has a link, and ports 0 to 1 are for "
                                      "nodes")));
    EXPECT_THAT(findings("s.csv", "# nodes: 4\n# nodes: 6\nfrom,to,both\n0,1,true\n"),
                ElementsAre(HasSubstr("2:1 'nodes' is given twice")));
    EXPECT_THAT(findings("s.csv", "# nodes: 5\n# nodes_per_router: 2\nfrom,to,both\n0,1,true\n"),
                ElementsAre(HasSubstr("1:1 5 nodes on routers of 2 nodes each")));
}

TEST(GraphFormats, TakesTruthAsPythonWritesIt) {
    const Graph dot = load("g.dot", "graph { s [endpoint=False]; s -- a; s -- b [both=TRUE] }");
    EXPECT_EQ(dot.node_count(), 2U);
    EXPECT_EQ(load("g.csv", "from,to,both\n0,1,True\n1,2,TRUE\n").link_count(), 4U);
}

TEST(GraphFormats, RefusesSwitchesThatAreNone) {
    const auto dot = [](const std::string& text) { return findings("s.dot", text); };
    EXPECT_THAT(dot("graph { a -- b; a [endpoint=no]; b [row=x, column=1] }"),
                testing::ElementsAre("1:20 'endpoint' must be true or false, found 'no'",
                                     "1:37 'row' must be a number from 0 to 65535, found 'x'"));
    EXPECT_THAT(dot("graph { node [endpoint=false]; a -- b }"),
                testing::ElementsAre("0:0 all nodes are switches (remove endpoint=false from a "
                                     "node that sends and receives)"));
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

TEST(GraphFormats, ReportsFindingsInDot) {
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

TEST(GraphFormats, ReadsDotAsGraphvizDoes) {
    // Defaults hold from their place to the end of their braces, and continue in the next part of a
    // subgraph; ends of edges may be subgraphs and lists; keys and `strict` make edges one.
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

TEST(GraphFormats, LongNamesAndLargeProductsInDotAreRefused) {
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

TEST(GraphFormats, MoreValuesThanAGraphHasAreRefused) {
    EXPECT_THAT(findings("g.csv", std::string(5U << 20, ',') + "\n"),
                testing::ElementsAre("1:1 more than 1000 columns"));
    std::string ones = "nodes: 2\nlinks: [1";
    for (int i = 0; i < (1 << 23); ++i) ones += ",1";
    EXPECT_THAT(findings("g.yaml", ones + "]\n"),
                testing::ElementsAre(testing::HasSubstr("has more than 8388608 entries")));
}

TEST(GraphFormats, RefusesOtherKindsOfFile) {
    EXPECT_THAT(findings("graph.txt", "nodes: 1\nlinks: []\n"),
                testing::ElementsAre(testing::HasSubstr(
                    "is not a known kind of graph file (name it .yaml, .yml, .csv, .dot, .gv, "
                    ".graphml, .xml or .anynet)")));
}

TEST(GraphFormats, SurvivesHostileFilesOfEveryKind) {
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

TEST(GraphFormats, RefusesEveryCutOfAFileThatHasAnEnd) {
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

}  // namespace
}  // namespace flitscope
