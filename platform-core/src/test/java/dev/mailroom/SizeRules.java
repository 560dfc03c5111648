package dev.mailroom;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.junit.ArchTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Limits of what a reader has to hold at a time: the collaborators of a class, the depth
 * of nested types, and the length of a method. Files and packages have no limit.
 */
final class SizeRules {

	private static final int MAX_COLLABORATORS = 7;

	/**
	 * Lines of a method between its braces; text blocks, which hold SQL, do not count.
	 */
	private static final int MAX_METHOD_LINES = 60;

	private static final Pattern READ_FIRST = Pattern.compile("\\{@(?:code|link)[\\s*]+(\\w+)}");

	private SizeRules() {
	}

	/** A nested type may share its name with other nested types only. */
	@ArchTest
	static void simpleNamesAreUnique(JavaClasses classes) {
		Map<String, Set<String>> names = classes.stream()
			.filter((type) -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
			.collect(Collectors.groupingBy(JavaClass::getSimpleName,
					Collectors.mapping(JavaClass::getName, Collectors.toSet())));
		classes.stream()
			.filter((type) -> type.isMemberClass() && !type.getModifiers().contains(JavaModifier.PRIVATE))
			.filter((type) -> names.containsKey(type.getSimpleName()))
			.forEach((type) -> names.get(type.getSimpleName()).add(type.getName()));
		names.values().removeIf((types) -> types.size() == 1);
		assertThat(names).as("simple names of several types").isEmpty();
	}

	@ArchTest
	static void packagesNameTheClassToReadFirst(JavaClasses classes) throws IOException {
		Set<String> violations = new TreeSet<>();
		for (Path file : sources()) {
			if (file.endsWith("package-info.java") && Files.readString(file).contains("@NullMarked")) {
				Matcher named = READ_FIRST.matcher(Files.readString(file));
				if (!named.find() || !Files.exists(file.resolveSibling(named.group(1) + ".java"))) {
					violations.add(file.toString());
				}
			}
		}
		assertThat(violations).as("packages that name no class to read first").isEmpty();
	}

	@ArchTest
	static void constructorsHaveAtMostSevenCollaborators(JavaClasses classes) {
		Set<String> violations = classes.stream()
			.filter((type) -> !type.isRecord() && !type.isEnum() && !type.isAnonymousClass() && !type.isLocalClass())
			.flatMap((type) -> type.getConstructors().stream())
			.filter((constructor) -> constructor.getRawParameterTypes()
				.stream()
				.filter(SizeRules::isCollaborator)
				.count() > MAX_COLLABORATORS)
			.map(JavaCodeUnit::getFullName)
			.collect(Collectors.toCollection(TreeSet::new));
		assertThat(violations).as("constructors with more than " + MAX_COLLABORATORS + " collaborators").isEmpty();
	}

	/**
	 * Whether a type has behaviour that a reader has to learn. Types of the JDK and of
	 * libraries are known, and settings are values.
	 */
	private static boolean isCollaborator(JavaClass type) {
		return type.getPackageName().startsWith("dev.mailroom") && !type.isRecord();
	}

	@ArchTest
	static void typesAreNestedOneDeep(JavaClasses classes) {
		Set<String> violations = classes.stream()
			.filter(JavaClass::isMemberClass)
			.filter((type) -> !type.getEnclosingClass().orElseThrow().isTopLevelClass())
			.map(JavaClass::getName)
			.collect(Collectors.toCollection(TreeSet::new));
		assertThat(violations).as("types nested in nested types").isEmpty();
	}

	@ArchTest
	static void methodsAreShort(JavaClasses classes) throws IOException {
		Set<String> violations = new TreeSet<>();
		JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
		try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
			JavacTask task = (JavacTask) compiler.getTask(null, files, null, List.of("-proc:none"), null,
					files.getJavaFileObjectsFromPaths(sources()));
			SourcePositions positions = Trees.instance(task).getSourcePositions();
			for (CompilationUnitTree file : task.parse()) {
				file.accept(new Methods(file, positions, violations), null);
			}
		}
		assertThat(violations).as("methods with more than " + MAX_METHOD_LINES + " lines, SQL not counted").isEmpty();
	}

	private static List<Path> sources() throws IOException {
		try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
			return files.filter((file) -> file.toString().endsWith(".java")).toList();
		}
	}

	private static final class Methods extends TreeScanner<Void, Void> {

		private final CompilationUnitTree file;

		private final SourcePositions positions;

		private final Set<String> violations;

		Methods(CompilationUnitTree file, SourcePositions positions, Set<String> violations) {
			this.file = file;
			this.positions = positions;
			this.violations = violations;
		}

		@Override
		public Void visitMethod(MethodTree method, Void nothing) {
			if (method.getBody() != null) {
				long length = lines(method.getBody()) - 1 - textLines(method);
				if (length > MAX_METHOD_LINES) {
					this.violations.add("%s.%s: %d lines"
						.formatted(Path.of(this.file.getSourceFile().toUri()).getFileName(), method.getName(), length));
				}
			}
			return super.visitMethod(method, null);
		}

		private long textLines(MethodTree method) {
			long[] lines = { 0 };
			method.accept(new TreeScanner<Void, Void>() {
				@Override
				public Void visitLiteral(LiteralTree literal, Void nothing) {
					if (literal.getKind() == Tree.Kind.STRING_LITERAL) {
						lines[0] += lines(literal);
					}
					return null;
				}
			}, null);
			return lines[0];
		}

		/** Line breaks between the begin and the end of a tree. */
		private long lines(Tree tree) {
			return line(this.positions.getEndPosition(this.file, tree))
					- line(this.positions.getStartPosition(this.file, tree));
		}

		private long line(long position) {
			return this.file.getLineMap().getLineNumber(position);
		}

	}

}
