import type { ReactNode } from 'react'
import { ServiceGate } from '../../frame/service-gate.tsx'

/** Shows a screen of storage where the instance serves files, and else says why it does not. */
export function StorageGate({ children }: { readonly children: ReactNode }) {
  return (
    <ServiceGate
      service="storage"
      title="Storage"
      missing="serves no files"
      note="A database that brings its own schema storage keeps the service that belongs to it."
    >
      {children}
    </ServiceGate>
  )
}
