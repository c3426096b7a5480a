import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isProofNeeded } from '../../frame/access-queries.ts'
import { useProof } from '../../frame/use-proof.tsx'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import { Button } from '../../ui/button.tsx'
import { Choice } from '../../ui/choice.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useToast } from '../../ui/toast.tsx'
import { authSetupQuery } from './queries.ts'

const algorithms = ['ES256', 'RS256', 'EdDSA', 'ES512', 'RS512'] as const

/** Makes a new key that signs tokens, once that is confirmed. */
export function RotateKeys() {
  const [algorithm, setAlgorithm] = useState<(typeof algorithms)[number]>('ES256')
  const [isOpen, setOpen] = useState(false)
  const queryClient = useQueryClient()
  const toast = useToast()
  const proof = useProof()
  const rotate = useMutation({
    mutationFn: () => api.rotateTokenKeys(algorithm),
    async onSuccess({ kid }) {
      await queryClient.invalidateQueries({ queryKey: authSetupQuery.queryKey })
      toast.add({ title: 'A new key signs.', description: kid })
      setOpen(false)
    },
    onError: (problem) => proof.ask(problem, () => rotate.mutate()),
  })
  return (
    <div className="flex flex-wrap items-end gap-2">
      <Choice label="Algorithm" className="w-32" value={algorithm} options={algorithms} onChange={setAlgorithm} />
      <Button onClick={() => setOpen(true)}>Rotate</Button>
      <ConfirmDialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title="Make a new key that signs tokens?"
        action="Rotate"
        isPending={rotate.isPending}
        problem={rotate.error && !isProofNeeded(rotate.error) ? errorText(rotate.error) : undefined}
        onConfirm={() => rotate.mutate()}
      >
        It signs at once, in every process. The keys before it go on verifying, so that users stay signed in. Servers
        that keep the public keys must read them again.
      </ConfirmDialog>
      {proof.dialog}
    </div>
  )
}
