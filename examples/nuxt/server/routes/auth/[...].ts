import { handler } from '../../utils/auth'

export default handler
