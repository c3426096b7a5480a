import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isProofNeeded } from '../../frame/access-queries.ts'
import { useProof } from '../../frame/use-proof.tsx'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { authSetupQuery } from './queries.ts'

/** Makes a new key of the API, once that is confirmed, and tells it. */
export function RotateKey({ name }: { readonly name: 'publishable' | 'secret' }) {
  const [isOpen, setOpen] = useState(false)
  const queryClient = useQueryClient()
  const proof = useProof()
  const rotate = useMutation({
    mutationFn: () => api.rotateApiKey(name),
    async onSuccess() {
      setOpen(false)
      await queryClient.invalidateQueries({ queryKey: authSetupQuery.queryKey })
    },
    onError: (problem) => proof.ask(problem, () => rotate.mutate()),
  })
  return (
    <>
      <Button className="w-max" onClick={() => setOpen(true)}>
        Rotate
      </Button>
      <ConfirmDialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={`Make a new ${name} key?`}
        action="Rotate"
        isPending={rotate.isPending}
        problem={rotate.error && !isProofNeeded(rotate.error) ? errorText(rotate.error) : undefined}
        onConfirm={() => rotate.mutate()}
      >
        Nothing breaks yet: the key before it is accepted until you revoke it. Give the new one to{' '}
        {name === 'publishable' ? 'the application’s pages' : 'your servers'}, and look here for the last use of the one
        before.
      </ConfirmDialog>
      <Dialog open={rotate.data !== undefined} onClose={rotate.reset} title={`The new ${name} key`}>
        <div className="grid gap-3">
          <Code text={rotate.data?.key ?? ''} copyLabel={`Copy the ${name} key`} />
          {name === 'secret' && (
            <p className="text-ink-2">The console tells it this once; clew keys tells it on the machine.</p>
          )}
        </div>
      </Dialog>
      {proof.dialog}
    </>
  )
}
