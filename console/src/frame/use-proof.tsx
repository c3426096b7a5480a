import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { passkeySupport } from '../lib/passkeys.ts'
import { accessQuery, isProofNeeded } from './access-queries.ts'
import { ProofDialog } from './proof-dialog.tsx'

interface Proof {
  /** For a failed change: asks for the proof that it needs, and repeats it afterwards. @returns whether it needs one */
  readonly ask: (problem: Error, again: () => void) => boolean
  /** Stands beside a form, not in it: its submission would be one of the form as well. */
  readonly dialog: ReactNode
}

/** Repeats a change that needs a recent proof of identity once the operator has given it. */
export function useProof(): Proof {
  const [again, setAgain] = useState<() => void>()
  const { data: access } = useQuery(accessQuery)
  return {
    ask(problem, run) {
      if (!isProofNeeded(problem)) return false
      setAgain(() => run)
      return true
    },
    dialog: access && (
      <ProofDialog
        open={again !== undefined}
        hasApp={access.totpSince !== null}
        hasPasskey={access.passkeys.length > 0}
        canUsePasskey={passkeySupport() === 'yes'}
        onProven={() => {
          setAgain(undefined)
          again?.()
        }}
        onClose={() => setAgain(undefined)}
      />
    ),
  }
}
