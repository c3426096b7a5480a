import { catalogue } from '../../ground/errors/catalogue.ts'

/** Every way this engine refuses by itself; what the server refuses arrives as `pg`'s DatabaseError, unchanged. */
export const postgresError = catalogue({
  POSTGRES_POOL_TIMEOUT: {
    status: 504,
    message: 'No database connection became free in time.',
    hint: 'Raise the pool size, or find the statements that hold connections for long.',
  },
  POSTGRES_SCHEMA_CHANGED: {
    status: 503,
    message: 'The database was changed while a transaction was under way.',
    hint: 'Send the request once more.',
  },
  POSTGRES_CONNECTION_LOST: {
    status: 503,
    message: 'The connection to the database was lost while the statement was running.',
    hint: 'Send the request once more; whether a write was done, only a look can tell.',
  },
  POSTGRES_TOO_MANY_VALUES: {
    status: 400,
    message: 'The statement has more values than PostgreSQL takes.',
    hint: 'Send fewer values at once.',
  },
  POSTGRES_UNREACHABLE: {
    status: 503,
    message: 'The PostgreSQL server does not answer.',
    hint: 'Check the URL, the network and the server.',
  },
  POSTGRES_COPY_FAILED: {
    status: 500,
    message: 'PostgreSQL did not give a whole copy of its files.',
    hint: 'Do what the server says above, then copy again. A damaged page is no copy’s fault: restore it from an earlier backup.',
  },
  POSTGRES_TOO_OLD: {
    status: 500,
    message: 'The PostgreSQL server is too old.',
    hint: 'Use PostgreSQL 15 or later.',
  },
  POSTGRES_ROLES_MISSING: {
    status: 500,
    message: 'The roles that requests run as do not exist and could not be made.',
    hint: 'Connect once as a superuser, or create the roles anon, authenticated and service_role by hand.',
  },
  POSTGRES_DIRECT_URL_NEEDED: {
    status: 500,
    message: 'A pooler answers at database_url, and the role is a superuser.',
    hint: 'Name the server itself as database_direct_url: what a superuser says to a connection must not reach others.',
  },
  POSTGRES_NOT_PREPARED: {
    status: 500,
    message: 'The role of the database URL may not do what a start needs.',
    hint: 'Have a superuser run the statements named above, then start again.',
  },
  POSTGRES_LOGIN_REFUSED: {
    status: 500,
    message: 'The server does not let in the role that runs the application’s statements.',
    hint: 'Let the role named in the details log in with its password (pg_hba.conf). A superuser does not run the application’s code.',
  },
  POSTGRES_BINARIES_MISSING: {
    status: 500,
    message: 'The PostgreSQL binaries for this platform are not installed.',
    hint: 'Run `npm install` (with optional dependencies), or give the URL of a PostgreSQL server.',
  },
  POSTGRES_SOCKET_PATH_TOO_LONG: {
    status: 500,
    message: 'The path of the database socket is longer than a socket path may be.',
    hint: 'Give a shorter directory for sockets, e.g. below /tmp.',
  },
  POSTGRES_SOCKET_UNREACHABLE: {
    status: 500,
    message: 'The user that PostgreSQL runs as cannot reach the directory of its socket.',
    hint: 'Give a directory for sockets that every user may pass to, e.g. below /tmp.',
  },
  POSTGRES_DATA_DIR_IN_USE: {
    status: 500,
    message: 'Another PostgreSQL server is running on this data directory.',
    hint: 'Stop it, or use another data directory.',
  },
  POSTGRES_DATA_DIR_OF_ANOTHER_VERSION: {
    status: 500,
    message: 'The data directory was made by another major version of PostgreSQL.',
    hint: 'Start it with the version of Clew that made it; a start of a later version carries it over: docs/guide/upgrade.md.',
  },
  POSTGRES_OTHER_BINARIES: {
    status: 500,
    message: 'The server of the version that made the data directory could not be run.',
    hint: 'Give the folder that has its `bin/postgres`: docs/guide/upgrade.md.',
  },
  POSTGRES_CARRY_FAILED: {
    status: 500,
    message: 'The database could not be carried over to this version of PostgreSQL.',
    hint: 'The data directory is as it was. Correct what is named above with the version that made it, and start this one again.',
  },
  POSTGRES_NO_UNPRIVILEGED_USER: {
    status: 500,
    message: 'PostgreSQL does not run as root, and no other user was found to run it as.',
    hint: 'Add a user such as `nobody`, or start as another user than root.',
  },
  POSTGRES_PORT_IN_USE: {
    status: 500,
    message: 'The TCP port of the database is in use.',
    hint: 'Choose another with --db-port.',
  },
  POSTGRES_START_FAILED: {
    status: 500,
    message: 'The embedded PostgreSQL server did not start.',
    hint: 'The end of its log, above, says why.',
  },
  POSTGRES_DUMP_FAILED: {
    status: 500,
    message: 'The definitions of the database could not be dumped.',
    hint: 'pg_dump’s words are above; the role must be able to read what is dumped.',
  },
  POSTGRES_MIGRATION_CHANGED: {
    status: 500,
    message: 'A migration that was applied has other contents now.',
    hint: 'Migrations go forward only: restore the file and add a new one.',
  },
  POSTGRES_MIGRATION_FAILED: {
    status: 500,
    message: 'A migration failed; nothing of it was kept.',
    hint: 'Correct the statement named in the cause.',
  },
})
