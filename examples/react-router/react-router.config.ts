import type { Config } from '@react-router/dev/config'

// React Router 7 runs middleware only with this flag.
export default { future: { v8_middleware: true } } satisfies Config
