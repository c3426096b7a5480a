import type { PersonRef } from './shapes.ts'

/** What a person is called on the screen: their name, their e-mail, or the short anonymous id. */
export function personName(person: PersonRef): string {
  return person.name ?? person.email ?? `Visitor ${person.distinctId.slice(0, 8)}`
}

/** The second line about a person: the e-mail where the name stands first. */
export function personDetail(person: PersonRef): string | null {
  return person.name === null ? null : person.email
}
