/**
 * What every feature speaks of: who asks, what may be refused, how a list is paged and
 * how a transaction is opened.
 */
@NullMarked
package dev.mailroom;

import org.jspecify.annotations.NullMarked;
