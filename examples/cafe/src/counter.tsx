import { useEffect, useState } from 'react'
import { supabase } from './clients'

/** The names of those behind the counter, as they come and go; `name` is that of who stands there, too. */
export function useCounter(name: string | null) {
  const [names, setNames] = useState<string[]>([])
  useEffect(() => {
    const channel = supabase.channel('counter', { config: { private: true } })
    channel
      .on('presence', { event: 'sync' }, () => {
        const present = Object.values(channel.presenceState<{ name: string }>()).flat()
        setNames([...new Set(present.map((one) => one.name))].sort())
      })
      .subscribe((status) => {
        if (status === 'SUBSCRIBED' && name !== null) channel.track({ name })
      })
    return () => void supabase.removeChannel(channel)
  }, [name])
  return names
}

export function AtTheCounter({ names }: { names: string[] }) {
  return (
    <p className="sub" role="status">
      {names.length === 0 ? 'Nobody is behind the counter right now' : `Behind the counter: ${names.join(', ')}`}
    </p>
  )
}
