import { expect, test } from 'vitest'
import { renderSyslog } from './syslog-message.ts'

const origin = { hostname: 'shop 1', name: 'clew', pid: 42 }
const now = new Date('2026-01-02T03:04:05.678Z')

test.each([
  [60, 10],
  [50, 11],
  [40, 12],
  [30, 14],
  [20, 15],
])('a line of level %i has the priority %i (RFC 5424 §6.2.1)', (level, priority) => {
  const line = `{"level":${level},"time":1767323045000,"msg":"a tap drips"}`
  expect(renderSyslog(line, origin, now)).toBe(`<${priority}>1 2026-01-02T03:04:05.000Z shop1 clew 42 - - ${line}`)
})

test('a line of another form is a notice of now', () => {
  expect(renderSyslog('plain', { ...origin, hostname: 'ü' }, now)).toBe(
    `<14>1 ${now.toISOString()} - clew 42 - - plain`,
  )
})
