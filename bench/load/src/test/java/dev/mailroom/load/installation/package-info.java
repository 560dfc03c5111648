/**
 * The installation under test: its addresses, its tenants, and the comparison of what was
 * sent with what the server has.
 */
@NullMarked
package dev.mailroom.load.installation;

import org.jspecify.annotations.NullMarked;
