package dev.mailroom.source;

import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * A local address from which mail is sent, with one of IPv4, of IPv6 or both.
 *
 * @param v4 address of IPv4; null if it sends by IPv6 only
 * @param v6 address of IPv6; null if it never uses IPv6
 * @param publicV4 address that receivers see; null if it is the same
 * @param publicV6 address that receivers see; null if it is the same
 * @param helo name in EHLO
 * @param listedOn block list because of which it is paused; null if it is not
 */
public record SendingSource(String name, @Nullable String v4, @Nullable String v6, @Nullable String publicV4,
		@Nullable String publicV6, String helo, State state, @Nullable String listedOn) {

	/** Whether its state permits mail, and no block list pauses it. */
	public boolean isUsable(boolean retry) {
		return this.listedOn == null && (this.state == State.ACTIVE || (this.state == State.DRAINING && retry));
	}

	/** Use of an address, as operators set it. */
	public enum State {

		/** It sends. */
		ACTIVE,
		/** It sends retries only. */
		DRAINING,
		/** It sends nothing. */
		PAUSED;

		/** The value in the database. */
		String stored() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

	/**
	 * Addresses that a worker can bind.
	 *
	 * @param source name of the sending address
	 */
	public record Presence(String source, boolean v4, boolean v6) {
	}

}
