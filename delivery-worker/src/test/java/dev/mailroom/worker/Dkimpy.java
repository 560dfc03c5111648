package dev.mailroom.worker;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.mailroom.Given;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Scripts that use dkimpy of Debian's package python3-dkim, which verifies Ed25519 by
 * python3-nacl.
 */
public final class Dkimpy {

	private static final Path PYTHON = Path.of("/usr/bin/python3");

	/** Adds a signature that no change of the mail survives. */
	private static final String SIGN = """
			import sys, dkim
			mail = open(sys.argv[1], 'rb').read()
			key = open(sys.argv[2], 'rb').read()
			print(dkim.sign(mail, b's1', sys.argv[3].encode(), key, canonicalize=(b'simple', b'simple')).decode())
			""";

	/**
	 * Verifies all signatures and the chain of ARC of a mail, with records of a file
	 * instead of DNS.
	 */
	private static final String VERIFY = """
			import re, sys, dkim
			mail = open(sys.argv[1], 'rb').read()
			keys = dict(line.encode().split(b' ', 1) for line in open(sys.argv[2]).read().splitlines())
			find = lambda name, timeout=5: keys.get(name)
			head = re.split(rb'\\r?\\n\\r?\\n', mail)[0]
			for index in range(len(re.findall(rb'(?im)^dkim-signature:', head))):
			    one = dkim.DKIM(mail)
			    valid = one.verify(index, dnsfunc=find)
			    print(one.signature_fields[b'a'].decode(), one.domain.decode(), valid)
			if re.search(rb'(?im)^arc-seal:', head):
			    print('arc', dkim.arc_verify(mail, dnsfunc=find)[0].decode())
			""";

	private Dkimpy() {
	}

	public static boolean isInstalled() throws Exception {
		return Files.isExecutable(PYTHON) && run("import dkim, nacl").isEmpty();
	}

	/**
	 * Signs a mail with selector s1.
	 * @return the mail, with lines that end with LF
	 */
	public static String sign(Path directory, String mail, String domain, PrivateKey key) throws Exception {
		Path pem = Files.writeString(directory.resolve("key.pem"), "-----BEGIN PRIVATE KEY-----\n"
				+ Base64.getMimeEncoder().encodeToString(key.getEncoded()) + "\n-----END PRIVATE KEY-----\n");
		Path file = Files.writeString(directory.resolve("unsigned.eml"), mail);
		return run(SIGN, file.toString(), pem.toString(), domain).replace("\r\n", "\n") + "\n" + mail;
	}

	/**
	 * Verifies all signatures and the chain of ARC of a mail.
	 * @param mail bytes as Latin-1
	 * @param records names with a final dot, a space and the record
	 * @return the algorithm and domain of each signature and whether it is valid, and the
	 * result of the chain
	 */
	public static List<String> verify(Path directory, String mail, List<String> records) throws Exception {
		Path file = Files.writeString(directory.resolve("mail.eml"), mail, StandardCharsets.ISO_8859_1);
		return run(VERIFY, file.toString(), Files.write(directory.resolve("records"), records).toString()).lines()
			.toList();
	}

	/** The records of the keys of all domains. */
	public static List<String> records() {
		return Given
			.rows("select selector || '._domainkey.' || name || '. v=DKIM1; k=' || split_part(algorithm, '-', 1) "
					+ "|| '; p=' || public_key from dkim_key join domain on domain.id = domain_id");
	}

	/** Runs a script; its output. */
	public static String run(String script, String... arguments) throws Exception {
		Process process = new ProcessBuilder(
				Stream.concat(Stream.of(PYTHON.toString(), "-c", script), List.of(arguments).stream()).toList())
			.redirectErrorStream(true)
			.start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
		assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
		return output;
	}

}
