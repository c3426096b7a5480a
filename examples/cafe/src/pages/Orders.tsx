import type { User } from '@supabase/supabase-js'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { euros, type Product, supabase } from '../clients'
import { AtTheCounter, useCounter } from '../counter'

interface Order {
  id: number
  total_cents: number
  status: string
  created_at: string
  order_items: { id: number; quantity: number; products: Product }[]
  /** Null for orders from before there were receipts. */
  receipts: { tax_cents: number } | null
}

const itemColumns = 'id, quantity, products(id, name, description, price_cents, stock, hue, photo)'
const itemsOf = ({ order_items }: Order) =>
  order_items.map(({ quantity, products }) => `${quantity} × ${products.name}`).join(', ')

interface Props {
  user: User
  onAdd: (product: Product, change: number) => void
}

export function Orders({ user, onAdd }: Props) {
  const navigate = useNavigate()
  const [orders, setOrders] = useState<Order[]>()
  const staff = useCounter(null)

  useEffect(() => {
    const load = () =>
      supabase
        .from('orders')
        .select(`id, total_cents, status, created_at, order_items(${itemColumns}), receipts(tax_cents)`)
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

  function orderAgain({ order_items }: Order) {
    for (const { products, quantity } of order_items) onAdd(products, quantity)
    navigate('/basket')
  }

  // Deliberately wrong: most browsers of desktops have nothing to share with, and throw. The console's Errors has it, with
  // the session in which the button did nothing.
  const share = (order: Order) => navigator.share({ text: `At the Corner Café: ${itemsOf(order)}` })

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
              <small>{itemsOf(order)}</small>
              <button
                type="button"
                className="quiet"
                aria-label={`Order again: order ${order.id}`}
                onClick={() => orderAgain(order)}
              >
                Order again
              </button>
              <button
                type="button"
                className="quiet"
                aria-label={`Share: order ${order.id}`}
                onClick={() => share(order)}
              >
                Share
              </button>
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
