import fc from 'fast-check'

/** Texts of what trips engines: halves of surrogate pairs, NUL, control characters, quotes, long ones. */
export const oddText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: oddCharacters(30) },
  { weight: 1, arbitrary: oddCharacters(3000) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', '\ud800', '\udfff\ud83d', '\\ud800', '\u0000', '"', '\\', '\n', '\u2028'),
  },
)

function oddCharacters(maxLength: number): fc.Arbitrary<string> {
  const telling = fc.constantFrom(0, 0x0a, 0x1f, 0x22, 0x5c, 0x7f, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0x2028, 0xffff)
  const unit = fc.oneof(telling, fc.integer({ min: 0, max: 0xffff }), fc.integer({ min: 0x20, max: 0x7e }))
  return fc.array(unit, { maxLength }).map((units) => String.fromCharCode(...units))
}

/** Numbers as JSON may say them, beyond what a double holds. */
export const oddNumber: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom('1e400', '-1e400', '-0', '1e300', '9223372036854775808', '-1e-400', '0.1e1', '1'.repeat(400)),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.integer().map(String),
)

/** A JSON value as a text that says it: odd texts and numbers, shallow or nested. */
export const oddJson: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    oddText.map((text) => JSON.stringify(text)),
    oddNumber,
    fc.constantFrom('null', 'true', '[]', '{}'),
    fc.array(tie('value'), { maxLength: 4 }).map((values) => `[${values.join(',')}]`),
    fc
      .array(fc.tuple(fc.oneof(oddText, fc.constantFrom('__proto__', '$set', '$current_url', '$lib')), tie('value')), {
        maxLength: 5,
      })
      .map((members) => `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`),
  ),
})).value
