package dev.mailroom.worker.smtp.client;

/** Use of TLS on outgoing connections. */
enum TlsMode {

	/** No TLS. */
	NONE,
	/** STARTTLS if offered, with any certificate (RFC 7435). */
	STARTTLS,
	/** STARTTLS with a valid certificate; otherwise no mail is sent. */
	REQUIRED,
	/** TLS from the first byte, with a valid certificate (RFC 8314). */
	IMPLICIT;

	/** Whether every connection is encrypted and its certificate is verified. */
	public boolean isVerified() {
		return this == REQUIRED || this == IMPLICIT;
	}

}
