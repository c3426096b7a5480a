/** A setting's name in `clew.toml`: `db_port` of `dbPort`. */
export const tomlName = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Its flag: `--db-port`. */
export const flagName = (name: string): string => `--${tomlName(name).replaceAll('_', '-')}`

/** Its environment variable: `CLEW_DB_PORT`, or `CLEW_REST_MAX_ROWS` of the section `rest`. */
export const environmentName = (section: string | null, name: string): string =>
  ['CLEW', ...(section === null ? [] : [section]), tomlName(name)].join('_').toUpperCase()

/** Its place in `clew.toml`, for messages: `[rest] max_rows`. */
export const tomlPlace = (section: string | null, name: string): string =>
  section === null ? tomlName(name) : `[${section}] ${tomlName(name)}`
