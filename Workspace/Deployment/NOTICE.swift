The program contains libraries of Swift: its standard library, Dispatch and Foundation. Their licence is the Apache License 2.0 with the
Runtime Library Exception, https://www.swift.org/LICENSE.txt.

Foundation contains ICU: Copyright (C) 2016 and later: Unicode, Inc. and others. License & terms of use:
http://www.unicode.org/copyright.html
