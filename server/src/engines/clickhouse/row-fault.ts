/** Codes of ClickHouse that say "these rows do not fit", which no waiting mends. */
const rowFaults = new Set([
  '6', // CANNOT_PARSE_TEXT
  '26', // CANNOT_PARSE_QUOTED_STRING
  '27', // CANNOT_PARSE_INPUT_ASSERTION_FAILED
  '33', // CANNOT_READ_ALL_DATA
  '38', // CANNOT_PARSE_DATE
  '41', // CANNOT_PARSE_DATETIME
  '53', // TYPE_MISMATCH
  '72', // CANNOT_PARSE_NUMBER
  '117', // INCORRECT_DATA
  '376', // CANNOT_PARSE_UUID
  '467', // CANNOT_PARSE_BOOL
])

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** Whether ClickHouse refused rows for what they are. */
export const isClickHouseRowFault = (error: unknown): boolean => rowFaults.has(codeOf(error))
