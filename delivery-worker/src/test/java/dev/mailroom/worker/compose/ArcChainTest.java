package dev.mailroom.worker.compose;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Instant;
import java.util.Base64;
import java.util.List;

import dev.mailroom.domain.SigningKey;
import dev.mailroom.worker.Dkimpy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class ArcChainTest {

	private static final String MESSAGE = """
			From: Ann <ann@author.test>
			To:  team@in.test
			Subject: Hello
			  =?utf-8?q?J=C3=BCrgen?=
			Message-ID: <1@author.test>

			Hi \t there.


			""".replace("\n", "\r\n");

	/** Verifies a chain as a receiver with dkimpy does; the key stands in for DNS. */
	private static final String ARCVERIFY = """
			import sys, dkim
			mail = open(sys.argv[1], 'rb').read()
			record = ('v=DKIM1; k=rsa; p=' + sys.argv[2]).encode()
			print(dkim.arc_verify(mail, dnsfunc=lambda name, timeout=5: record)[0].decode())
			""";

	/** Adds two sets as servers with dkimpy do. */
	private static final String ARCSIGN = """
			import sys, dkim
			mail = open(sys.argv[1], 'rb').read()
			key = open(sys.argv[2], 'rb').read()
			for chain in (b'none', b'pass'):
			    found = b'Authentication-Results: mx.test; arc=' + chain + b'\\r\\n' + mail
			    mail = b''.join(dkim.ARC(found).sign(b's1', b'in.test', key, b'mx.test', [b'from', b'to', b'subject'])) + mail
			open(sys.argv[1], 'wb').write(mail)
			""";

	private static final KeyPair PAIR = pair();

	private final ArcChain.Keys keys = (_, _) -> List.of(PAIR.getPublic());

	@TempDir
	Path temporary;

	@Test
	void aChainOfSealsIsValidUntilTheMessageChanges() throws IOException {
		byte[] message = bytes(MESSAGE);
		assertThat(ArcChain.of(message).verify(this.keys)).isEqualTo("none");
		for (int hop = 1; hop <= 3; hop++) {
			message = forwarded(message);
			assertThat(ArcChain.of(message).verify(this.keys)).isEqualTo("pass");
			assertThat(ArcChain.of(message).next()).isEqualTo(hop + 1);
		}
		String text = text(message);
		for (String changed : List.of(text.replace("Hello", "Other"), text.replace("there", "here"),
				text.replace("i=2; mx.test", "i=2; my.test"), text.replaceFirst("ARC-Seal: i=3", "ARC-Seal: i=4"),
				text.replaceFirst("(?s)ARC-Authentication-Results: i=2;.*?\r\n(?! )", ""),
				text.replaceFirst("cv=pass", "cv=none"), "ARC-Seal: i=1; b=x\r\n" + text)) {
			assertThat(changed).isNotEqualTo(text);
			assertThat(ArcChain.of(bytes(changed)).verify(this.keys)).isEqualTo("fail");
		}
		assertThat(ArcChain.of(bytes(text.replace("Hi \t there", "Hi there"))).verify(this.keys)).isEqualTo("pass");
		assertThat(ArcChain.of(message).verify((_, _) -> List.of())).isEqualTo("fail");
	}

	@Test
	void aFailedChainIsSealedOnceMore() throws IOException {
		byte[] broken = bytes(text(forwarded(bytes(MESSAGE))).replace("Hello", "Other"));
		assertThat(ArcChain.of(broken).isOpen()).isTrue();
		byte[] sealed = forwarded(broken);
		assertThat(text(sealed)).contains("ARC-Seal: i=2; a=rsa-sha256; cv=fail;");
		assertThat(ArcChain.of(sealed).verify(this.keys)).isEqualTo("fail");
		assertThat(ArcChain.of(sealed).isOpen()).isFalse();
	}

	@Test
	void aChainOfAnotherSignerIsValidAndContinued() throws Exception {
		assumeDkimpy();
		Path mail = Files.write(this.temporary.resolve("mail.eml"), bytes(MESSAGE));
		Path key = Files.writeString(this.temporary.resolve("key.pem"),
				"-----BEGIN PRIVATE KEY-----\n" + Base64.getMimeEncoder().encodeToString(PAIR.getPrivate().getEncoded())
						+ "\n-----END PRIVATE KEY-----\n");
		assertThat(Dkimpy.run(ARCSIGN, mail.toString(), key.toString())).isEmpty();
		byte[] message = Files.readAllBytes(mail);
		assertThat(ArcChain.of(message).next()).isEqualTo(3);
		assertThat(ArcChain.of(message).verify(this.keys)).isEqualTo("pass");
		assertThat(arcverify(forwarded(message))).isEqualTo("pass");
	}

	private static void assumeDkimpy() throws Exception {
		assumeTrue(Dkimpy.isInstalled(), "python3-dkim or python3-nacl is not installed");
	}

	@Test
	void anotherVerifierFindsTheSameResults() throws Exception {
		assumeDkimpy();
		byte[] first = forwarded(bytes(MESSAGE));
		byte[] second = forwarded(first);
		assertThat(List.of(arcverify(first), arcverify(second), arcverify(forwarded(second)))).containsOnly("pass");
		assertThat(arcverify(bytes(text(second).replace("Hello", "Other")))).isEqualTo("fail");
	}

	private String arcverify(byte[] message) throws Exception {
		Path mail = Files.write(this.temporary.resolve("mail.eml"), message);
		return Dkimpy.run(ARCVERIFY, mail.toString(),
				Base64.getEncoder().encodeToString(PAIR.getPublic().getEncoded()));
	}

	/** The message as a forwarding server sends it. */
	private byte[] forwarded(byte[] message) throws IOException {
		ArcChain chain = ArcChain.of(message);
		String result = chain.verify(this.keys);
		byte[] traced = bytes("ARC-Authentication-Results: i=" + chain.next() + "; mx.test;\r\n arc=" + result
				+ "\r\nReceived: from a by b; Sat, 1 Jan 2022 00:00:00 +0000\r\n" + text(message));
		return ArcChain.seal(traced, result, new SigningKey("in.test", "s1", "rsa-sha256", PAIR.getPrivate()),
				Instant.ofEpochSecond(1_700_000_000));
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.ISO_8859_1);
	}

	private static String text(byte[] message) {
		return new String(message, StandardCharsets.ISO_8859_1);
	}

	private static KeyPair pair() {
		try {
			KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
			generator.initialize(2048);
			return generator.generateKeyPair();
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
