import type { Member } from '../../lib/api/schemas.ts'

/** The role of an operator. */
export type Role = Member['role']

/** The roles, from the most to the least rights, with what each allows. */
export const roles: readonly { readonly value: Role; readonly label: string; readonly allows: string }[] = [
  { value: 'owner', label: 'Owner', allows: 'everything, secrets and the team included' },
  { value: 'developer', label: 'Developer', allows: 'sees and changes data, functions, files and jobs; no secrets' },
  {
    value: 'analyst',
    label: 'Analyst',
    allows: 'sees sessions, people and figures; no rows of tables, changes nothing',
  },
  { value: 'viewer', label: 'Viewer', allows: 'signs in and sees nothing yet' },
]

/** What a role allows, in a few words. */
export const allowedBy = (role: Role): string => roles.find(({ value }) => value === role)?.allows ?? ''
