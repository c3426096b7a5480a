import { createFileRoute } from '@tanstack/react-router'
import { DiskScreen } from '../../screens/disk/disk-screen.tsx'

export const Route = createFileRoute('/settings/disk')({
  component: DiskScreen,
})
