package dev.mailroom.worker.transport;

/** How a connection is kept from others. */
enum TlsMode {

	/** Not at all. */
	NONE,
	/** By STARTTLS where it is offered, with whatever certificate (RFC 7435). */
	STARTTLS,
	/** By STARTTLS, with a certificate that holds. */
	REQUIRED,
	/** From the first byte, with a certificate that holds (RFC 8314). */
	IMPLICIT;

	/** Whether nothing goes in the clear, or to whoever pretends to be the server. */
	boolean holds() {
		return this == REQUIRED || this == IMPLICIT;
	}

}
