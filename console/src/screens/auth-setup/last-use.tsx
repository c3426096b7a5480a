import { Time } from '../../ui/time.tsx'

/** When a key was last used, within a sentence. */
export function LastUse({ at }: { readonly at: string | null }) {
  if (at === null) return <>not used yet</>
  return (
    <>
      last used <Time at={at} />
    </>
  )
}
