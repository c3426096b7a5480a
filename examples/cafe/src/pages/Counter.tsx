import type { User } from '@supabase/supabase-js'
import { useCallback, useEffect, useState } from 'react'
import { supabase } from '../clients'
import { AtTheCounter, useCounter } from '../counter'

interface OpenOrder {
  id: number
  status: string
  order_items: { id: number; quantity: number; products: { name: string } }[]
}

/** What is said of an order next, and what it is then. */
const steps: Record<string, { label: string; next: string }> = {
  new: { label: 'Start', next: 'brewing' },
  brewing: { label: 'Ready', next: 'ready' },
  ready: { label: 'Collected', next: 'collected' },
}

export function Counter({ user }: { user: User }) {
  const [orders, setOrders] = useState<OpenOrder[]>()
  const [problem, setProblem] = useState('')
  const staff = useCounter(user.user_metadata.name ?? user.email)

  const load = useCallback(
    () =>
      supabase
        .from('orders')
        .select('id, status, order_items(id, quantity, products(name))')
        .neq('status', 'collected')
        .order('id')
        .overrideTypes<OpenOrder[], { merge: false }>()
        .then(({ data, error }) => (error ? setProblem(error.message) : setOrders(data))),
    [],
  )

  useEffect(() => {
    const channel = supabase
      .channel('all orders')
      .on('postgres_changes', { event: '*', schema: 'public', table: 'orders' }, load)
      .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'order_items' }, load)
      // What happened before the channel was open is read when it is.
      .subscribe((status) => status === 'SUBSCRIBED' && load())
    return () => void supabase.removeChannel(channel)
  }, [load])

  async function serve(order: OpenOrder, status: string) {
    const { data, error } = await supabase.from('orders').update({ status }).eq('id', order.id).select('id')
    setProblem(error?.message ?? (data?.length === 0 ? 'Only the people behind the counter serve.' : ''))
  }

  return (
    <>
      <h1>Counter</h1>
      <AtTheCounter names={staff} />
      {problem && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
      {orders?.length === 0 && <p className="empty">Nobody is waiting.</p>}
      <ul className="orders">
        {orders?.map((order) => {
          const step = steps[order.status]
          return (
            <li key={order.id}>
              <div>
                <b>Order #{order.id}</b> <span className="status">{order.status}</span>
                <small>{order.order_items.map((item) => `${item.quantity} × ${item.products.name}`).join(', ')}</small>
              </div>
              {step && (
                <button
                  type="button"
                  aria-label={`${step.label}: order ${order.id}`}
                  onClick={() => serve(order, step.next)}
                >
                  {step.label}
                </button>
              )}
            </li>
          )
        })}
      </ul>
    </>
  )
}
