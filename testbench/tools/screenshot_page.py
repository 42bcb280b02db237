#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The flitscope authors
# SPDX-License-Identifier: Apache-2.0
"""A picture of a page of `flitscope report`, as Chromium shows it, without a screen.

usage: screenshot_page.py PAGE.html OUT.png [--dark] [--width N] [--height N|--whole] [--do SCRIPT]

SCRIPT runs in the page first: page.goTo(3) shows the fourth bin.
"""
import argparse
import sys

from browser import Browser, BrowserMissing

parser = argparse.ArgumentParser(description="A picture of a page of flitscope report.")
parser.add_argument("page")
parser.add_argument("picture")
parser.add_argument("--dark", action="store_true")
parser.add_argument("--width", type=int, default=1400)
parser.add_argument("--height", type=int, default=1000)
parser.add_argument("--whole", action="store_true", help="down to the end of the page")
parser.add_argument("--do", default="", metavar="SCRIPT")
arguments = parser.parse_args()
try:
    with Browser(arguments.width, arguments.height) as browser:
        browser.prefer("dark" if arguments.dark else "light")
        browser.open(arguments.page)
        if arguments.do:
            browser.evaluate(f"(() => {{ const {{page, data}} = flitscope; {arguments.do} }})()")
            browser.settle()
        browser.screenshot(arguments.picture, whole=arguments.whole)
        for error in browser.errors:
            print(f"screenshot_page.py: the page complains: {error}", file=sys.stderr)
        sys.exit(1 if browser.errors else 0)
except BrowserMissing as missing:
    sys.exit(f"screenshot_page.py: {missing}")
