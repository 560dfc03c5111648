'use strict';
// The content security policy forbids code from strings. The renderer tries it once and does without; refusing it here
// keeps the attempt from being reported as a violation.
const refuse = () => {
  throw new EvalError('Code from strings is forbidden');
};
window.Function = new Proxy(Function, { construct: refuse, apply: refuse });
