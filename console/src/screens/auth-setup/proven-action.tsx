import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { isProofNeeded } from '../../frame/access-queries.ts'
import { useProof } from '../../frame/use-proof.tsx'
import { errorText } from '../../lib/api/api-error.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { instanceSecretsQuery } from './queries.ts'

interface ProvenActionProps<Done> {
  readonly label: string
  readonly title: string
  readonly children: ReactNode
  readonly run: () => Promise<Done>
  readonly onDone?: (done: Done) => void
}

/** A button that changes a secret of the instance, once that is confirmed and the operator has proved their identity. */
export function ProvenAction<Done>({ label, title, children, run, onDone }: ProvenActionProps<Done>) {
  const [isOpen, setOpen] = useState(false)
  const queryClient = useQueryClient()
  const proof = useProof()
  const action = useMutation({
    mutationFn: run,
    async onSuccess(done) {
      setOpen(false)
      onDone?.(done)
      await queryClient.invalidateQueries({ queryKey: instanceSecretsQuery.queryKey })
    },
    onError: (problem) => proof.ask(problem, () => action.mutate()),
  })
  return (
    <>
      <Button className="w-max" onClick={() => setOpen(true)}>
        {label}
      </Button>
      <ConfirmDialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={title}
        action={label}
        isPending={action.isPending}
        problem={action.error && !isProofNeeded(action.error) ? errorText(action.error) : undefined}
        onConfirm={() => action.mutate()}
      >
        {children}
      </ConfirmDialog>
      {proof.dialog}
    </>
  )
}
