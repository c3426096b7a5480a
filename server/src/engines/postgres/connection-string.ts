/** The names of a connection string that are not asked of `pg` under their own. */
const inPath = 'dbname'

const pair = /\s*([A-Za-z_]+)\s*=\s*(?:'((?:[^'\\]|\\.)*)'|((?:[^\s\\]|\\.)*))/y

function fromPairs(text: string): string {
  const query = new URLSearchParams()
  let database = ''
  pair.lastIndex = 0
  for (let found = pair.exec(text); found !== null; found = pair.exec(text)) {
    const [, name = '', quoted, plain = ''] = found
    const value = (quoted ?? plain).replaceAll(/\\(.)/g, '$1')
    if (name === inPath) database = value
    else query.set(name, value)
  }
  return `postgresql:///${encodeURIComponent(database)}?${query.toString().replaceAll('+', '%20')}`
}

/**
 * A connection string of libpq, `postgresql://…` or `host=… dbname=…`, as an address that `pg` reads. What it leaves
 * out comes from `PGHOST`, `PGUSER` and the others.
 *
 * @see https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING
 */
export function connectionAddress(text: string): string {
  if (!/^postgres(?:ql)?:\/\//.test(text)) return fromPairs(text)
  const [address = '', query = ''] = text.split(/\?(?=[^@]*$)/)
  const named = new URLSearchParams(query.replaceAll('+', '%2B'))
  const database = named.get(inPath)
  if (database === null) return text
  named.delete(inPath)
  const authority = /^\w+:\/\/[^/]*/.exec(address)?.[0] ?? address
  return `${authority}/${encodeURIComponent(database)}?${named.toString().replaceAll('+', '%20')}`
}
