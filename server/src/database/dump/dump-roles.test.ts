import { expect, test } from 'vitest'
import { renderRoles } from './dump-roles.ts'

test('roles are made with their attributes, their settings and what they are members of', () => {
  const role = {
    inherits: true,
    createsRoles: false,
    createsDatabases: false,
    logsIn: false,
    bypassesPolicies: false,
    settings: [],
    memberOf: [],
  }
  expect(
    renderRoles([
      { ...role, name: 'barista', memberOf: ['staff'], settings: ['statement_timeout=5s', 'search_path=secret'] },
      { ...role, name: 'staff', logsIn: true },
    ]),
  ).toBe(
    [
      'CREATE ROLE "barista";',
      'ALTER ROLE "barista" WITH INHERIT NOCREATEROLE NOCREATEDB NOLOGIN NOBYPASSRLS;',
      'CREATE ROLE "staff";',
      'ALTER ROLE "staff" WITH INHERIT NOCREATEROLE NOCREATEDB LOGIN NOBYPASSRLS;',
      `ALTER ROLE "barista" SET "statement_timeout" TO '5s';`,
      'GRANT "staff" TO "barista";',
      'RESET ALL;',
      '',
    ].join('\n'),
  )
})
