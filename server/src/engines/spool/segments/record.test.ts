import { expect, test } from 'vitest'
import { parseRecord, renderRecord } from './record.ts'

const record = { rows: 2, lines: '{"a":"é"}\n{"b":"\\u0000"}' }
const targets = 256
const rendered = (...given: Parameters<typeof renderRecord>): Buffer => Buffer.concat(renderRecord(...given))

test.each([0, 1, 255])('a record for target %i is read back as it was written', (target) => {
  const bytes = rendered(target, record)
  const parsed = parseRecord(bytes, 0, targets)
  expect(parsed).toMatchObject({ kind: 'record', record: { target, rows: 2, sizeBytes: bytes.length } })
  expect(parsed.kind === 'record' && parsed.record.lines.toString()).toBe(record.lines)
})

test('a record cut anywhere is never taken for a whole one', () => {
  const bytes = rendered(1, record)
  for (let length = 0; length < bytes.length; length += 1) {
    expect(parseRecord(bytes.subarray(0, length), 0, targets).kind, `cut at ${length}`).toBe('short')
  }
})

test('a changed byte is noticed wherever it stands', () => {
  const bytes = rendered(1, record)
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes)
    changed.writeUInt8((changed.readUInt8(at) + 1) % 256, at)
    expect(parseRecord(changed, 0, targets).kind, `byte ${at}`).not.toBe('record')
  }
})

test('zeroes after a power cut are damage, not a record', () => {
  expect(parseRecord(Buffer.alloc(64), 0, targets)).toEqual({ kind: 'damaged' })
})

test('a record for a target that the spool does not have is not its own', () => {
  expect(parseRecord(rendered(3, record), 0, 3)).toEqual({ kind: 'damaged' })
})

test('bytes are taken as text is', () => {
  expect(rendered(1, { ...record, lines: Buffer.from(record.lines) })).toEqual(rendered(1, record))
})

test('a record of which only the start is copied is the same in the file', () => {
  const rest = Buffer.from(record.lines.slice(3))
  const frame = renderRecord(1, { rows: record.rows, start: record.lines.slice(0, 3), rest })
  expect(Buffer.concat(frame)).toEqual(rendered(1, record))
  expect(frame.at(-1)).toBe(rest)
})
