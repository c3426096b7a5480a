import { expect, test } from 'vitest'
import { withoutCommands } from './line.ts'

test.each([
  ['clears the screen', '\x1b[2J\x1b[1;1Hall is well', '\\u001b[2J\\u001b[1;1Hall is well'],
  ['names the window', '\x1b]0;root\x07', '\\u001b]0;root\\u0007'],
  ['begins a command with one byte', '\x9b31mred', '\\u009b31mred'],
  ['overwrites its own line', 'error\rfine\b', 'error\\u000dfine\\u0008'],
  ['turns its text around', 'txt.\u202eexe', 'txt.\\u202eexe'],
])('what a function logs does nothing to the terminal: it %s', (_what, text, shown) => {
  expect(withoutCommands(text)).toBe(shown)
})

test('lines, tabs and all scripts are as they were', () => {
  const text = 'one\n\ttwo – Größe 語 🙂 <b>'
  expect(withoutCommands(text)).toBe(text)
})
