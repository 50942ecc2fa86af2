// Checks the JavaScript of the page with the compiler of TypeScript: names and modules that do not exist, and promises that nothing
// waits for. `begin` and `on` of parts/guard.js and parts/elements.js show the failure of such work.
//
//   node scripts/support/check_page.cjs FOLDER
//
// The compiler is Debian's package node-typescript, or that of NODE_PATH.
'use strict';

const fs = require('fs');
const path = require('path');

const folder = path.resolve(process.argv[2]);
const ts = require(['/usr/share/nodejs/typescript', 'typescript'].find((name) => {
  try {
    return require.resolve(name);
  } catch {
    return false;
  }
}) || 'typescript');

// What the compiler says of code without types that is certainly a mistake: unknown names, exports and modules, and what is
// assigned, called or declared in a way that fails.
const Mistakes = new Set([2304, 2305, 2307, 2300, 2451, 2552, 2588, 2613, 2614, 2693, 2724, 18004]);

function files(of) {
  return fs.readdirSync(of, { withFileTypes: true }).flatMap((entry) => {
    const name = path.join(of, entry.name);
    if (entry.isDirectory()) return files(name);
    return name.endsWith('.js') ? [name] : [];
  });
}

const program = ts.createProgram(files(folder), {
  allowJs: true, checkJs: true, noEmit: true, target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.NodeJs, lib: ['lib.esnext.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'], types: [],
});
const checker = program.getTypeChecker();
const found = [];

function note(source, position, text) {
  const { line, character } = source.getLineAndCharacterOfPosition(position);
  found.push(`${path.relative(process.cwd(), source.fileName)}:${line + 1}:${character + 1}: ${text}`);
}

const isPromise = (type) => type.getProperty('then') !== undefined && type.getProperty('catch') !== undefined;

// A statement that is only an expression drops its value. With `catch` the failure is dealt with.
function isDropped(expression) {
  if (ts.isAwaitExpression(expression) || ts.isVoidExpression(expression)) return false;
  if (ts.isBinaryExpression(expression)) return false;
  if (ts.isCallExpression(expression) && ts.isPropertyAccessExpression(expression.expression)
    && expression.expression.name.text === 'catch') return false;
  const type = checker.getTypeAtLocation(expression);
  return isPromise(type) || (type.isUnion() && type.types.some(isPromise));
}

// What the browser calls later drops the promise of what it called.
const Later = new Set(['setTimeout', 'setInterval', 'requestAnimationFrame', 'addEventListener', 'queueMicrotask']);

function isCalledLater(node) {
  if (!ts.isArrowFunction(node) && !ts.isFunctionExpression(node)) return false;
  const call = node.parent;
  if (!ts.isCallExpression(call) || !call.arguments.includes(node)) return false;
  const name = ts.isPropertyAccessExpression(call.expression) ? call.expression.name.text : call.expression.getText();
  if (!Later.has(name)) return false;
  const type = checker.getReturnTypeOfSignature(checker.getSignatureFromDeclaration(node));
  return isPromise(type) || (type.isUnion() && type.types.some(isPromise));
}

function visit(source, node) {
  if (isCalledLater(node)) note(source, node.getStart(source), 'nothing waits for the promise of this function; use begin() or on()');
  if (ts.isExpressionStatement(node) && isDropped(node.expression)) {
    note(source, node.getStart(source), 'nothing waits for this promise; await it, return it, or use begin()');
  }
  ts.forEachChild(node, (child) => visit(source, child));
}

for (const source of program.getSourceFiles()) {
  if (!path.resolve(source.fileName).startsWith(folder + path.sep)) continue;
  visit(source, source);
  for (const diagnostic of [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]) {
    if (diagnostic.code < 2000 || Mistakes.has(diagnostic.code)) {
      note(source, diagnostic.start, ts.flattenDiagnosticMessageText(diagnostic.messageText, ' '));
    }
  }
}
for (const line of found) console.log(line);
console.log(`check_page: ${program.getRootFileNames().length} files, ${found.length} problems`);
process.exit(found.length ? 1 : 0);
