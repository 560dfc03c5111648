package dev.mailroom;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.StringEntry;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

import com.tngtech.archunit.core.domain.JavaClass;

/** String constants of compiled classes, without those in annotations. */
public final class StringConstants {

	private StringConstants() {
	}

	/**
	 * The string constants in a class file. A concatenation is one constant that has the
	 * character {@code U+0001} in place of each variable part.
	 */
	public static Set<String> of(JavaClass type) {
		try (InputStream bytes = type.getSource().orElseThrow().getUri().toURL().openStream()) {
			return StreamSupport.stream(ClassFile.of().parse(bytes.readAllBytes()).constantPool().spliterator(), false)
				.filter(StringEntry.class::isInstance)
				.map((entry) -> ((StringEntry) entry).stringValue())
				.collect(Collectors.toUnmodifiableSet());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
