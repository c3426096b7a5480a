import type { User } from '@supabase/supabase-js'
import { useEffect, useState } from 'react'
import { euros, supabase } from '../clients'
import { AtTheCounter, useCounter } from '../counter'

interface Order {
  id: number
  total_cents: number
  status: string
  created_at: string
  order_items: { id: number; quantity: number; products: { name: string } }[]
  /** Null for orders from before there were receipts. */
  receipts: { tax_cents: number } | null
}

export function Orders({ user }: { user: User }) {
  const [orders, setOrders] = useState<Order[]>()
  const staff = useCounter(null)

  useEffect(() => {
    const load = () =>
      supabase
        .from('orders')
        .select('id, total_cents, status, created_at, order_items(id, quantity, products(name)), receipts(tax_cents)')
        .eq('user_id', user.id)
        .order('id', { ascending: false })
        .overrideTypes<Order[], { merge: false }>()
        .then(({ data }) => setOrders(data ?? []))
    load()
    const own = { schema: 'public', table: 'orders', filter: `user_id=eq.${user.id}` }
    let isFirst = true
    const channel = supabase
      .channel('my orders')
      .on<Order>('postgres_changes', { event: 'UPDATE', ...own }, ({ new: { id, status } }) =>
        setOrders((before) => before?.map((order) => (order.id === id ? { ...order, status } : order))),
      )
      .subscribe((status) => {
        if (status !== 'SUBSCRIBED') return
        // A connection that was lost has missed what happened meanwhile.
        if (!isFirst) load()
        isFirst = false
      })
    return () => void supabase.removeChannel(channel)
  }, [user.id])

  if (orders?.length === 0) return <p className="empty">Nothing ordered yet.</p>
  return (
    <>
      <h1>My orders</h1>
      <AtTheCounter names={staff} />
      <ul className="orders">
        {orders?.map((order) => (
          <li key={order.id}>
            <div>
              <b>Order #{order.id}</b> <span className="status">{order.status}</span>
              <small>{order.order_items.map((item) => `${item.quantity} × ${item.products.name}`).join(', ')}</small>
            </div>
            <span className="price">
              {euros(order.total_cents)}
              {order.receipts && (
                <small>
                  Receipt R-{order.id}, {euros(order.receipts.tax_cents)} of it tax
                </small>
              )}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
