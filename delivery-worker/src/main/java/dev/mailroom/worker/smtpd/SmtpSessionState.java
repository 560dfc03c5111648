package dev.mailroom.worker.smtpd;

import java.net.InetSocketAddress;

import dev.mailroom.Scope;
import org.jspecify.annotations.Nullable;

/** What is known of a client by now. */
final class SmtpSessionState {

	private final InetSocketAddress address;

	private String helo = "";

	private boolean tls;

	private volatile @Nullable Scope principal;

	SmtpSessionState(InetSocketAddress address) {
		this.address = address;
	}

	void introduced(String name) {
		this.helo = name;
	}

	boolean isIntroduced() {
		return !this.helo.isEmpty();
	}

	/** What was said in the clear counts no longer: anybody could have said it. */
	void secured() {
		this.tls = true;
		this.helo = "";
		this.principal = null;
	}

	boolean isSecured() {
		return this.tls;
	}

	void signedIn(Scope scope) {
		this.principal = scope;
	}

	boolean isSignedIn() {
		return this.principal != null;
	}

	SmtpClient client() {
		return new SmtpClient(this.address, this.helo, this.tls, this.principal);
	}

}
