// What settings of PostgreSQL are declared with; reading it loads no driver.
export { isDatabaseAddress } from './connection/connection-string.ts'
export { defaultInternalPools, defaultStatementsPerConnection } from './options.ts'
