interface Order {
  item: string;
  price: number;
  count: number;
}

const orders: Order[] = [
  { item: "tea", price: 3.5, count: 4 },
  { item: "cake", price: 2.75, count: 6 },
];

const total = orders.reduce((sum: number, { price, count }: Order) => sum + price * count, 0);
console.table(orders);
console.log("total", total.toFixed(2));
