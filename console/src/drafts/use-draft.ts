import { useState } from 'react'

/** What is drafted of something that is stored, until it is saved or discarded. */
export function useDraft<Stored extends object>(stored: Stored) {
  const [draft, setDraft] = useState(stored)
  return {
    draft,
    set: (change: Partial<Stored>) => setDraft({ ...draft, ...change }),
    /** For the `DraftForm` that it is drafted in. */
    drafted: {
      isChanged: JSON.stringify(draft) !== JSON.stringify(stored),
      onDiscard: () => setDraft(stored),
    },
  }
}
