// Unpacks Chromium; a journey that started it while another one still unpacks it would fail.
import { unpack } from './browser.mjs';

await unpack();
