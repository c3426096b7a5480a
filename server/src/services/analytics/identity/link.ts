import type { Sql } from '../../../engines/postgres/index.ts'
import { alwaysAllowed, atOnce, mayBeStored } from '../../../ground/privacy/consent.ts'
import type { Consents } from '../consent/consent.ts'
import { type Decision, haveWithdrawnTogether } from '../consent/decision.ts'
import { decideStatement } from '../consent/store.ts'
import { applyProperties, areSplit, isIllegalDistinctId, type PersonState } from './merge.ts'
import { findPersons, findUserPerson, lockIdentities, saveOutcome } from './store.ts'
import { createWorld, newPerson } from './world.ts'

/** A sign-in that was seen together with an id of the browser. */
export interface UserLink {
  readonly distinctId: string
  readonly userId: string
  /** Asked for where there is something to link; nothing is known of the user where not given. */
  readonly profile?: () => Promise<UserProfile>
  readonly at: Date
}

/** What a user says of themselves: it becomes the person's unless they have another. */
export interface UserProfile {
  readonly email?: string | null
  readonly name?: string | null
}

/** What signing in came to for the person behind a distinct id. */
export type LinkOutcome =
  | { readonly kind: 'linked'; readonly personId: string }
  /** Was so already. */
  | { readonly kind: 'unchanged' }
  /**
   * Another user signed in before with the same id, on a shared computer say: no persons were merged. This user has a
   * person of their own, whose time at that computer is known by their sign-ins.
   */
  | { readonly kind: 'another_user' }
  /** An operator has separated this id from the user's person. */
  | { readonly kind: 'split' }
  /** The visitor or the user has not consented: nothing is stored. */
  | { readonly kind: 'withheld' }
  /** The visitor or the user has consented anew since: what was seen before is not stored. */
  | { readonly kind: 'before_consent' }
  /** Broken code sends this id for every visitor. */
  | { readonly kind: 'illegal_id' }

const linkedTo = (userId: string, person: PersonState): PersonState => ({
  ...person,
  isIdentified: true,
  authUserId: userId,
})

/** Ties an id to the person of a user, in a transaction. */
export async function linkUser(
  tx: Sql,
  { distinctId, userId, email, name, at }: Omit<UserLink, 'profile'> & UserProfile,
  { newId, consents }: { readonly newId: () => string; readonly consents: Pick<Consents, 'allows' | 'decisions'> },
): Promise<LinkOutcome> {
  if (isIllegalDistinctId(distinctId)) return { kind: 'illegal_id' }
  await lockIdentities(tx)
  const decisions = await consents.decisions(tx, [distinctId, userId])
  const [ofBrowser, ofUser] = [decisions.get(distinctId), decisions.get(userId)]
  const isSince = (decision: Decision | undefined): boolean =>
    mayBeStored(decision?.since ?? alwaysAllowed, () => atOnce(at.getTime()))
  if (ofUser?.granted === false && ofBrowser?.granted !== false) {
    if (!haveWithdrawnTogether(ofBrowser, ofUser)) {
      // A user who has refused is known on another browser: what it was seen doing goes as well.
      await tx.query(decideStatement([distinctId], false, at))
      return { kind: 'withheld' }
    }
    // They were one person, which the removal has parted: the browser's new consent is the user's.
    await tx.query(decideStatement([userId], true, ofBrowser?.decidedAt ?? at))
  }
  if (!isSince(ofBrowser) || !isSince(ofUser)) return { kind: 'before_consent' }
  if (!consents.allows(ofBrowser)) {
    // A user who has consented, elsewhere or in their metadata, does so in a browser that did not answer.
    if (ofUser?.granted !== true || ofBrowser?.granted === false) return { kind: 'withheld' }
    await tx.query(decideStatement([distinctId], true, at))
  }
  const found = await findPersons(tx, [distinctId])
  const world = createWorld(found, newId)
  const mine = found.get(distinctId) ?? null
  const users = await findUserPerson(tx, userId)
  const set = { ...(email == null ? {} : { email }), ...(name == null ? {} : { name }) }
  if (mine !== null && mine.authUserId !== null && mine.authUserId !== userId) {
    if (users === null) world.put(linkedTo(userId, newPerson(newId(), at.getTime(), set)))
    await saveOutcome(tx, world.outcome(), at)
    return { kind: 'another_user' }
  }
  if (mine !== null && mine.authUserId === userId) return { kind: 'unchanged' }
  if (mine !== null && users !== null && areSplit(mine, users)) return { kind: 'split' }
  const person = mine ?? users ?? world.require(distinctId, at.getTime())
  const winner = users !== null && mine !== null ? world.merge(users, mine) : person
  const linked = applyProperties(linkedTo(userId, winner), {
    set: null,
    setOnce: set,
    unset: [],
    atMs: at.getTime(),
  })
  world.put(linked)
  world.assign(distinctId, linked)
  await saveOutcome(tx, world.outcome(), at)
  return { kind: 'linked', personId: linked.id }
}
