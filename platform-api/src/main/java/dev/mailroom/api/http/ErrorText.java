package dev.mailroom.api.http;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

import dev.mailroom.Refusal;

import org.springframework.core.io.ClassPathResource;

/** A line of {@code docs/errors.txt}: status, name, meaning and remedy of an error. */
public record ErrorText(String status, String error, String meaning, String remedy) {

	/** Reads the lines of all errors. */
	public static List<ErrorText> all() {
		try {
			return new ClassPathResource("docs/errors.txt").getContentAsString(StandardCharsets.UTF_8)
				.lines()
				.map((line) -> line.split(" \\| ", 4))
				.map((columns) -> new ErrorText(columns[0], columns[1], columns[2], columns[3]))
				.toList();
		}
		catch (IOException ex) {
			throw new IllegalStateException("docs/errors.txt cannot be read", ex);
		}
	}

	/** The name in responses. */
	public String name() {
		return Refusal.invalid(this.error).name();
	}

}
