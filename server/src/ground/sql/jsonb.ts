/** JSON that `jsonb` takes: it knows neither NUL nor lone surrogates. */
export const renderJsonb = (value: unknown): string =>
  JSON.stringify(value).replaceAll(/\\(?:u0000|ud[89a-f][0-9a-f]{2}|.)/g, (escaped) => {
    if (escaped === '\\u0000') return ''
    return escaped.startsWith('\\ud') ? '\ufffd' : escaped
  })
