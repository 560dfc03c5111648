package dev.mailroom;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.constantpool.LoadableConstantEntry;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.constant.ClassDesc;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.junit.ArchTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A switch over the types of a sealed interface has no {@code default}, so that a new
 * type does not compile until each switch handles it. The compiler ends such a switch
 * with a {@link MatchException}; a switch with a {@code default} lacks it.
 */
final class SwitchRules {

	private static final String MATCH_EXCEPTION = "java/lang/MatchException";

	private SwitchRules() {
	}

	@ArchTest
	static void switchesOverSealedTypesHaveNoDefault(JavaClasses classes) {
		Set<String> violations = new TreeSet<>();
		for (JavaClass type : classes) {
			if (type.getSource().isPresent()) {
				parse(type).methods()
					.stream()
					.filter((method) -> method.code().filter(SwitchRules::hasDefault).isPresent())
					.forEach((method) -> violations.add(type.getName() + "." + method.methodName().stringValue()));
			}
		}
		assertThat(violations).as("switches over sealed types with a default").isEmpty();
	}

	private static boolean hasDefault(CodeModel code) {
		boolean exhaustive = code.elementStream()
			.anyMatch((element) -> element instanceof NewObjectInstruction created
					&& created.className().asInternalName().equals(MATCH_EXCEPTION));
		return !exhaustive && code.elementStream()
			.map(SwitchRules::labels)
			.anyMatch((labels) -> !labels.isEmpty() && haveSealedParent(labels));
	}

	/** The types that a switch distinguishes; empty for other instructions. */
	private static Set<String> labels(CodeElement element) {
		if (element instanceof InvokeDynamicInstruction call
				&& call.invokedynamic().bootstrap().bootstrapMethod().reference().name().equalsString("typeSwitch")) {
			List<LoadableConstantEntry> arguments = call.invokedynamic().bootstrap().arguments();
			return arguments.stream()
				.map(LoadableConstantEntry::constantValue)
				.filter(ClassDesc.class::isInstance)
				.map((label) -> name((ClassDesc) label))
				.collect(Collectors.toSet());
		}
		return Set.of();
	}

	private static boolean haveSealedParent(Set<String> labels) {
		Set<Class<?>> parents = new HashSet<>(sealedParents(labels.iterator().next()));
		labels.forEach((label) -> parents.retainAll(sealedParents(label)));
		return !parents.isEmpty();
	}

	private static Set<Class<?>> sealedParents(String type) {
		try {
			return Arrays.stream(Class.forName(type).getInterfaces())
				.filter(Class::isSealed)
				.collect(Collectors.toUnmodifiableSet());
		}
		catch (ClassNotFoundException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static String name(ClassDesc type) {
		String descriptor = type.descriptorString();
		return descriptor.startsWith("L") ? descriptor.substring(1, descriptor.length() - 1).replace('/', '.')
				: descriptor;
	}

	private static ClassModel parse(JavaClass type) {
		try (InputStream bytes = type.getSource().orElseThrow().getUri().toURL().openStream()) {
			return ClassFile.of().parse(bytes.readAllBytes());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
