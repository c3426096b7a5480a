import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isProofNeeded } from '../../frame/access-queries.ts'
import { useProof } from '../../frame/use-proof.tsx'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { LastUse } from './last-use.tsx'
import { authSetupQuery } from './queries.ts'

interface RevokeKeyProps {
  readonly id: string
  readonly name: 'publishable' | 'secret'
  readonly lastUsedAt: string | null
}

/** Has an earlier key of the API refused, once what breaks is confirmed. */
export function RevokeKey({ id, name, lastUsedAt }: RevokeKeyProps) {
  const [isOpen, setOpen] = useState(false)
  const queryClient = useQueryClient()
  const proof = useProof()
  const revoke = useMutation({
    mutationFn: () => api.revokeApiKey(id),
    async onSuccess() {
      setOpen(false)
      await queryClient.invalidateQueries({ queryKey: authSetupQuery.queryKey })
    },
    onError: (problem) => proof.ask(problem, () => revoke.mutate()),
  })
  return (
    <>
      <Button onClick={() => setOpen(true)}>Revoke</Button>
      <ConfirmDialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={`Revoke the earlier ${name} key?`}
        action="Revoke"
        isPending={revoke.isPending}
        problem={revoke.error && !isProofNeeded(revoke.error) ? errorText(revoke.error) : undefined}
        onConfirm={() => revoke.mutate()}
      >
        {name === 'publishable' ? 'Pages that still have it' : 'Servers that still have it'} are refused from the next
        request on, and it cannot be brought back. It was <LastUse at={lastUsedAt} />.
      </ConfirmDialog>
      {proof.dialog}
    </>
  )
}
