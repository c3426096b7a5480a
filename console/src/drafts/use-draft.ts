import { useState } from 'react'

/** What operators edit, and who has changed it last. */
interface Edited {
  readonly updatedBy: string
}

/** The parts of something that are edited, by what an operator calls them. */
type PartNames<Stored> = Readonly<Partial<Record<keyof Stored, string>>>

/** What another operator has saved since a draft was begun. */
export interface ChangedMeanwhile {
  readonly by: string
  /** Parts that the draft has as they are stored now. */
  readonly taken: readonly string[]
  /** Parts that were changed here as well: the draft's are kept, and saving replaces the others. */
  readonly kept: readonly string[]
}

interface Draft<Stored> {
  /** What is stored, as the draft knows it. */
  readonly stored: Stored
  readonly draft: Stored
  readonly meanwhile: ChangedMeanwhile | undefined
}

/**
 * What is drafted of something that is stored, until it is saved or discarded. What another operator saves meanwhile comes into
 * the draft where it was not touched, and is told.
 */
export function useDraft<Stored extends Edited>(stored: Stored, names: PartNames<Stored>) {
  const [known, setKnown] = useState<Draft<Stored>>({ stored, draft: stored, meanwhile: undefined })
  const current = known.stored === stored ? known : withStored(known, stored, names)
  if (current !== known) setKnown(current)
  const { draft, meanwhile } = current
  return {
    draft,
    set: (change: Partial<Stored>) => setKnown({ ...current, draft: { ...draft, ...change } }),
    /** For the `DraftForm` that it is drafted in. */
    drafted: {
      isChanged: !isSame(draft, stored),
      meanwhile,
      onDiscard: () => setKnown({ stored, draft: stored, meanwhile: undefined }),
    },
  }
}

function withStored<Stored extends Edited>(
  { stored: before, draft: drafted, meanwhile }: Draft<Stored>,
  stored: Stored,
  names: PartNames<Stored>,
): Draft<Stored> {
  const draft = { ...stored }
  const [taken, kept]: [string[], string[]] = [[], []]
  for (const part of Object.keys(stored) as (keyof Stored)[]) {
    const isTouched = !isSame(drafted[part], before[part])
    if (isTouched) draft[part] = drafted[part]
    const name = names[part]
    if (name === undefined || isSame(before[part], stored[part])) continue
    if (!isTouched) taken.push(name)
    else if (!isSame(drafted[part], stored[part])) kept.push(name)
  }
  const isDrafting = !isSame(drafted, before)
  if (!isDrafting || isSame(draft, stored)) return { stored, draft, meanwhile: undefined }
  if (taken.length === 0 && kept.length === 0) return { stored, draft, meanwhile }
  const join = (earlier: readonly string[] = [], later: readonly string[]) => [...new Set([...earlier, ...later])]
  return {
    ...{ stored, draft },
    meanwhile: { by: stored.updatedBy, taken: join(meanwhile?.taken, taken), kept: join(meanwhile?.kept, kept) },
  }
}

const isSame = (left: unknown, right: unknown): boolean => inOrder(left) === inOrder(right)

/** JSON with sorted keys: the server returns the keys of what was saved in another order. */
const inOrder = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([left], [right]) => (left < right ? -1 : 1)))
      : part,
  )
